import type { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { Redacted } from "effect"
import { createHmac } from "node:crypto"
import type { Configuration } from "./Configuration.ts"

/** A key for one purpose, drawn from the operator's secret, so that every process of a market has the same one. */
export const derivedSecret = (secret: Redacted.Redacted, purpose: string): Redacted.Redacted =>
  Redacted.make(createHmac("sha256", Redacted.value(secret)).update(purpose).digest("hex"))

/** The market's own part of the configuration. */
export const marketConfig = (
  configuration: Configuration,
  baseUrl: string,
  adminToken: Redacted.Redacted
): MarketConfig["Service"] => ({
  platformFeeBps: configuration.platformFeeBps,
  withdrawalFee: configuration.withdrawalFee,
  withdrawalMinimum: configuration.withdrawalMinimum,
  withdrawalReviewAbove: configuration.withdrawalReviewAbove,
  coinRate: configuration.trxRate,
  proceedsHoldDays: configuration.proceedsHoldDays,
  refundCoverLimit: configuration.refundCoverLimit,
  listingReview: configuration.listingReview,
  soulContent: configuration.soulContent,
  baseUrl,
  consoleUrl: `${baseUrl}/console`,
  secret: derivedSecret(adminToken, "activity-feed")
})

/**
 * The keys that encrypt the secrets of webhooks: `WEBHOOK_SECRET_KEY` first where it is set, and a key derived from the operator's token.
 * The derived key stays, so that it still opens what it sealed before `WEBHOOK_SECRET_KEY` was set.
 */
export const webhookSecretKeys = (
  { webhookSecretKey }: Configuration,
  adminToken: Redacted.Redacted
): readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>] => {
  const derived = derivedSecret(adminToken, "webhook-secrets")
  return webhookSecretKey === undefined ? [derived] : [webhookSecretKey, derived]
}

/**
 * Where webhooks may go: anywhere with `WEBHOOK_ALLOW_PRIVATE`, to loopback addresses too on the simulated chain outside of production
 * (WEBHOOK-11), else to public addresses only.
 */
export const webhookAccess = ({
  production,
  tron,
  webhookAllowPrivate
}: Pick<Configuration, "production" | "tron" | "webhookAllowPrivate">): "any" | "loopback" | "public" => {
  if (webhookAllowPrivate) return "any"
  return tron === undefined && !production ? "loopback" : "public"
}

/** Signatures of customers' installations must not depend on a token that people use and replace. */
const warnsOfDerivedKey = ({ adminToken, databaseUrl, production, signingKey }: Configuration): boolean =>
  production && signingKey === undefined && databaseUrl !== undefined && adminToken !== undefined

/** What the operator should know about an accepted configuration of a worker, one sentence each; logged at start. */
export const workerWarnings = (configuration: Configuration): ReadonlyArray<string> => [
  // CONFIG-24
  ...(configuration.adoptData
    ? ["DATA_DIR_ADOPT is set: a data folder of any origin is accepted. Remove it after the first start"]
    : []),
  // CONFIG-20
  ...(configuration.production && configuration.tron === undefined
    ? ["CHAIN is simulated in production: deposits and withdrawals are not real"]
    : []),
  // CONFIG-16
  ...(warnsOfDerivedKey(configuration)
    ? ["MARKET_SIGNING_KEY is not set: the signing key is derived from ADMIN_TOKEN and changes with it"]
    : [])
]

/** The same for a server, which also serves the full text of souls and the operator's clock. */
export const startWarnings = (configuration: Configuration): ReadonlyArray<string> => [
  ...workerWarnings(configuration),
  // CONFIG-10
  ...(configuration.soulContent === "open"
    ? ["SOUL_CONTENT is open: every key reads the full text of paid souls"]
    : []),
  ...(configuration.production && configuration.testClock
    ? ["TEST_CLOCK is set in production: the operator can move the market's time"]
    : [])
]
