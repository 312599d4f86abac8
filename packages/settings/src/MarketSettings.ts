import type { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import type { Redacted } from "effect"
import type { Configuration } from "./Configuration.ts"
import { derivedSecret } from "./derivedSecret.ts"

/** The market's own part of the configuration. */
export const marketConfig = (
  configuration: Configuration,
  baseUrl: string,
  adminToken: Redacted.Redacted
): MarketConfig["Service"] => ({
  platformFeeBps: configuration.platformFeeBps,
  withdrawalFee: configuration.withdrawalFee,
  withdrawalMinimum: configuration.withdrawalMinimum,
  proceedsHoldDays: configuration.proceedsHoldDays,
  refundCoverLimit: configuration.refundCoverLimit,
  listingReview: configuration.listingReview,
  soulContent: configuration.soulContent,
  baseUrl,
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
