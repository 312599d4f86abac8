import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { derivedSigningSeed, parseSigningSeed } from "@agent-marketplace/settings/SigningSeed"
import { Redacted, Result } from "effect"
import { randomBytes } from "node:crypto"
import type { MarketplaceOptions, NotificationOptions } from "./MarketplaceOptions.ts"
import { invalidOptions, optionChecks } from "./optionChecks.ts"

/** Checked options with their defaults. */
export type Settings = ReturnType<typeof settingsOf>

const wrongValues = (options: MarketplaceOptions): ReadonlyArray<Issue> =>
  Object.entries(options).flatMap(([path, value]) => {
    if (!Object.hasOwn(optionChecks, path)) return [{ path, message: "is not an option" }]
    const message = value === undefined ? undefined : optionChecks[path as keyof MarketplaceOptions](value)
    return message === undefined ? [] : [{ path, message }]
  })

/** Rules between options. */
const missing = ({
  baseUrl,
  blobs,
  chain,
  secret,
  storage,
  testClock,
  trxUsdtRate,
  withdrawalFee
}: MarketplaceOptions): ReadonlyArray<Issue> => {
  const lasts = storage?.lasts === true
  return [
    ...(storage === undefined
      ? [
          {
            path: "storage",
            message: "is required: memoryStorage(), sqliteStorage({ file }) or postgresStorage({ url })"
          }
        ]
      : []),
    ...(lasts && secret === undefined
      ? [{ path: "secret", message: "is required with a persistent storage (at least 32 characters)" }]
      : []),
    ...(lasts && baseUrl === undefined ? [{ path: "baseUrl", message: "is required with a persistent storage" }] : []),
    ...(!lasts && chain?.realMoney === true
      ? [{ path: "storage", message: "must be persistent on a chain with real money" }]
      : []),
    ...(!lasts && blobs !== undefined
      ? [{ path: "blobs", message: "requires a persistent storage: nothing would refer to the bytes after a restart" }]
      : []),
    ...(withdrawalFee === "auto" && trxUsdtRate === undefined && chain?.realMoney === true
      ? [{ path: "trxUsdtRate", message: 'is required with withdrawalFee "auto" and real money' }]
      : []),
    ...(testClock === true && chain?.realMoney === true
      ? [{ path: "testClock", message: "must not be set on a chain with real money" }]
      : [])
  ]
}

const amount = (text: string): Usdt => Result.getOrElse(Usdt.parse(text), () => Usdt.of(0n))

const notificationsOf = ({ smtpFrom, smtpUrl, vapidPrivateKey, vapidSubject }: NotificationOptions) => ({
  smtp: smtpUrl === undefined || smtpFrom === undefined ? undefined : { url: Redacted.make(smtpUrl), from: smtpFrom },
  vapidPrivateKey: vapidPrivateKey === undefined ? undefined : Redacted.make(vapidPrivateKey),
  vapidSubject
})

const settingsOf = (options: MarketplaceOptions) => {
  const { blobs, chain, storage, users } = options
  const secret = options.secret ?? randomBytes(32).toString("base64url")
  return {
    storage,
    blobs,
    chain,
    baseUrl: (options.baseUrl ?? "http://localhost:3000").replace(/\/+$/, ""),
    allowedHosts: options.allowedHosts ?? [],
    pathStripped: options.pathStripped ?? false,
    secret,
    signingKey:
      (options.signingKey === undefined ? undefined : parseSigningSeed(options.signingKey)) ??
      derivedSigningSeed(Redacted.make(secret)),
    users,
    signup: options.signup ?? (users === undefined ? "open" : "closed"),
    review: options.review ?? "manual",
    platformFeeBps: options.platformFeeBps ?? 500,
    withdrawalFee: options.withdrawalFee === "auto" ? ("auto" as const) : amount(options.withdrawalFee ?? "1"),
    coinRate:
      options.trxUsdtRate === undefined
        ? chain?.realMoney === true
          ? null
          : amount("0.3")
        : amount(options.trxUsdtRate),
    withdrawalMinimum: amount(options.withdrawalMinimum ?? "5"),
    withdrawalReviewAbove: options.withdrawalReviewAbove === undefined ? null : amount(options.withdrawalReviewAbove),
    screening: options.screening ?? {},
    notifications: notificationsOf(options.notifications ?? {}),
    proceedsHoldDays: options.proceedsHoldDays ?? 7,
    refundCoverLimit: amount(options.refundCoverLimit ?? "1000"),
    soulContent: options.soulContent ?? "open",
    adminToken: options.adminToken,
    metricsToken: options.metricsToken,
    rateLimits: options.rateLimits ?? "on",
    redisUrl: options.redisUrl,
    trustedProxies: options.trustedProxies ?? [],
    privateWebhooks: options.privateWebhooks ?? false,
    jobs: options.jobs ?? true,
    console: options.console ?? false,
    graphql: options.graphql ?? true,
    mcp: options.mcp ?? true,
    oauthDynamicRegistration: options.oauthDynamicRegistration ?? false,
    testClock: options.testClock ?? (!storage.lasts && chain?.realMoney !== true),
    log: options.log
  }
}

/** Checks every option and reports all errors together (EMBED-2). */
export const readOptions = (options: MarketplaceOptions): Settings => {
  // A program in plain JavaScript may pass no options.
  const given = { ...options }
  const issues = [...wrongValues(given), ...missing(given)]
  if (issues.length > 0) throw invalidOptions("createMarketplace", issues)
  return settingsOf(given)
}
