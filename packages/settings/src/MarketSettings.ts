import { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
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
