import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { denyListFault, isToken, tokenRule } from "@agent-marketplace/settings/ScreeningConfiguration"
import {
  isSender,
  isSmtpUrl,
  isVapidKey,
  isVapidSubject,
  senderRule,
  smtpUrlRule,
  subjectRule,
  vapidKeyRule
} from "@agent-marketplace/settings/NotificationsConfiguration"
import { parseSigningSeed, signingSeedRule } from "@agent-marketplace/settings/SigningSeed"
import { Result } from "effect"
import { isIP } from "node:net"
import type { MarketplaceOptions, NotificationOptions } from "./MarketplaceOptions.ts"

/** The error for invalid options; `details.issues` has all of them. */
export const invalidOptions = (of: string, issues: ReadonlyArray<Issue>): MarketplaceError =>
  new MarketplaceError({
    message: `${of}: ${issues.map(({ message, path }) => `${path} ${message}`).join("; ")}`,
    code: "VALIDATION_ERROR",
    statusCode: 400,
    details: { issues }
  })

/** The rule that a value breaks, or undefined. It never contains a secret. */
type Check = (value: unknown) => string | undefined

const oneOf =
  (...values: ReadonlyArray<string>): Check =>
  (value) =>
    values.includes(value as string) ? undefined : `must be ${values.map((one) => `"${one}"`).join(" or ")}`

const isSecret: Check = (value) =>
  typeof value === "string" && value.length >= 32 ? undefined : "must have at least 32 characters"

const isSigningKey: Check = (value) =>
  typeof value === "string" && parseSigningSeed(value) !== undefined ? undefined : signingSeedRule

const isText: Check = (value) => (typeof value === "string" && value !== "" ? undefined : "must be a text")

const isFlag: Check = (value) => (typeof value === "boolean" ? undefined : "must be true or false")

const isFunction: Check = (value) => (typeof value === "function" ? undefined : "must be a function")

const url =
  (...protocols: ReadonlyArray<string>): Check =>
  (value) =>
    typeof value === "string" && URL.canParse(value) && protocols.includes(new URL(value).protocol)
      ? undefined
      : `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`

const isBaseUrl: Check = (value) => {
  const problem = url("http:", "https:")(value)
  if (problem !== undefined) return problem
  if (/[?#]/.test(value as string)) return "must have no query and no fragment"
  const { password, username } = new URL(value as string)
  // It becomes part of public URLs.
  return username + password === "" ? undefined : "must have no user name and no password"
}

const isAmount: Check = (value) => {
  if (typeof value !== "string") return 'must be a decimal text, such as "1.50"'
  const amount = Usdt.parse(value)
  return Result.isFailure(amount) ? amount.failure : undefined
}

const isShare: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 10_000
    ? undefined
    : "must be a whole number from 0 to 10000"

const isDays: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 365
    ? undefined
    : "must be a whole number from 0 to 365"

const isAddresses: Check = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === "string" && isIP(one) !== 0)
    ? undefined
    : "must be a list of IP addresses"

const isHosts: Check = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === "string" && /^[\w.:[\]-]+$/.test(one))
    ? undefined
    : "must be a list of host names"

const has =
  (field: string, made: string): Check =>
  (value) =>
    typeof value === "object" && value !== null && field in value ? undefined : `is required: ${made}`

const isService = (service: unknown): boolean => {
  if (service === undefined) return true
  if (typeof service !== "object" || service === null) return false
  const { authority, token, url: address, ...rest } = service as Readonly<Record<string, unknown>>
  return (
    Object.keys(rest).length === 0 &&
    url("https:")(address) === undefined &&
    typeof token === "string" &&
    isToken(token) &&
    (authority === undefined || typeof authority === "string")
  )
}

const isScreening: Check = (value) => {
  if (typeof value !== "object" || value === null) return "must be an object with denyLists, service or screen"
  const { denyLists = [], screen, service, ...rest } = value as Readonly<Record<string, unknown>>
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) return `has no field ${unknown}: use denyLists, service or screen`
  if (screen !== undefined && typeof screen !== "function") return "screen must be a function"
  if (!isService(service)) return `service must have an https:// url and a token, which ${tokenRule}`
  if (!Array.isArray(denyLists) || !denyLists.every((path) => typeof path === "string"))
    return "denyLists must be a list of paths"
  const faults = denyLists.flatMap((path) => denyListFault(path) ?? [])
  return faults.length === 0 ? undefined : `denyLists must have one address a line: ${faults.join("; ")}`
}

const notificationRules = {
  smtpUrl: [isSmtpUrl, smtpUrlRule],
  smtpFrom: [isSender, senderRule],
  vapidPrivateKey: [isVapidKey, vapidKeyRule],
  vapidSubject: [isVapidSubject, subjectRule]
} as const satisfies Record<keyof NotificationOptions, readonly [(text: string) => boolean, string]>

const isNotifications: Check = (value) => {
  if (typeof value !== "object" || value === null) return "must be an object with smtpUrl and smtpFrom"
  const given = Object.entries(value).filter(([, text]) => text !== undefined)
  for (const [name, text] of given) {
    if (!Object.hasOwn(notificationRules, name)) return `has no field ${name}`
    const [holds, rule] = notificationRules[name as keyof NotificationOptions]
    if (typeof text !== "string" || !holds(text)) return `${name} ${rule}`
  }
  const names = given.map(([name]) => name)
  return names.includes("smtpUrl") === names.includes("smtpFrom")
    ? undefined
    : "must have smtpUrl and smtpFrom together"
}

/** The rule of each option. Which ones are required is checked in readOptions. */
export const optionChecks: Readonly<Record<keyof MarketplaceOptions, Check>> = {
  storage: has("portsAndChain", "memoryStorage(), sqliteStorage({ file }) or postgresStorage({ url })"),
  blobs: has("layer", "folderBlobs({ path }), s3Blobs({ … }) or an adapter"),
  chain: has("layer", "tronChain({ … }) or an adapter"),
  baseUrl: isBaseUrl,
  allowedHosts: isHosts,
  pathStripped: isFlag,
  secret: isSecret,
  signingKey: isSigningKey,
  users: isFunction,
  signup: oneOf("open", "closed"),
  review: oneOf("manual", "auto"),
  platformFeeBps: isShare,
  withdrawalFee: (value) => (value === "auto" ? undefined : isAmount(value)),
  trxUsdtRate: isAmount,
  withdrawalMinimum: isAmount,
  withdrawalReviewAbove: isAmount,
  screening: isScreening,
  notifications: isNotifications,
  proceedsHoldDays: isDays,
  refundCoverLimit: isAmount,
  soulContent: oneOf("open", "licensed"),
  adminToken: isSecret,
  metricsToken: isText,
  rateLimits: oneOf("on", "off"),
  redisUrl: url("redis:", "rediss:"),
  trustedProxies: isAddresses,
  privateWebhooks: isFlag,
  jobs: isFlag,
  testClock: isFlag,
  console: isFlag,
  graphql: isFlag,
  mcp: isFlag,
  oauthDynamicRegistration: isFlag,
  log: isFunction
}
