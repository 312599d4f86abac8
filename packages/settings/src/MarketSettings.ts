import { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { SecretBox } from "@agent-marketplace/core/webhooks/SecretBox"
import { Layer } from "effect"
import type { Redacted } from "effect"
import type { Configuration } from "./Configuration.ts"
import { derivedSecret } from "./derivedSecret.ts"

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
    secret: derivedSecret(adminToken, "activity-feed")
  })

/**
 * What webhooks' secrets are sealed with: `WEBHOOK_SECRET_KEY`, else a key that is drawn from the operator's token. The latter goes on
 * opening what it sealed, so that a key of its own can be set later.
 */
export const secretBox = ({ webhookSecretKey }: Configuration, adminToken: Redacted.Redacted) => {
  const drawn = derivedSecret(adminToken, "webhook-secrets")
  return SecretBox.layer(webhookSecretKey === undefined ? [drawn] : [webhookSecretKey, drawn])
}
