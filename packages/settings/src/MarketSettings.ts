import { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { SecretBox } from "@agent-marketplace/core/webhooks/SecretBox"
import { Layer, Redacted } from "effect"
import { createHmac } from "node:crypto"
import type { Configuration } from "./Configuration.ts"

/** A key for one purpose, drawn from the operator's secret, so that every process of a market has the same one. */
const derived = (secret: Redacted.Redacted, purpose: string): Redacted.Redacted =>
  Redacted.make(createHmac("sha256", Redacted.value(secret)).update(purpose).digest("hex"))

/** The market's own part of the configuration. */
export const marketSettings = (
  configuration: Configuration,
  baseUrl: string,
  adminToken: Redacted.Redacted
): Layer.Layer<MarketConfig> =>
  Layer.succeed(MarketConfig, {
    platformFeeBps: configuration.platformFeeBps,
    withdrawalFee: configuration.withdrawalFee,
    withdrawalMinimum: configuration.withdrawalMinimum,
    listingReview: configuration.listingReview,
    soulContent: configuration.soulContent,
    baseUrl,
    secret: derived(adminToken, "activity-feed")
  })

/**
 * What webhooks' secrets are sealed with: `WEBHOOK_SECRET_KEY`, else a key that is drawn from the operator's token. The latter goes on
 * opening what it sealed, so that a key of its own can be set later.
 */
export const secretBox = ({ webhookSecretKey }: Configuration, adminToken: Redacted.Redacted) => {
  const drawn = derived(adminToken, "webhook-secrets")
  return SecretBox.layer(webhookSecretKey === undefined ? [drawn] : [webhookSecretKey, drawn])
}
