import type { Layer, Redacted } from "effect"
import { MemoryRateLimits } from "./MemoryRateLimits.ts"
import type { RateLimits } from "./RateLimits.ts"
import { RedisRateLimits } from "./RedisRateLimits.ts"

/** Counters in Redis if a URL is configured, otherwise in this process; none if limits are off. */
export const configuredRateLimits = (
  mode: "on" | "off",
  redisUrl: Redacted.Redacted | undefined
): Layer.Layer<RateLimits> => {
  if (mode === "off") return MemoryRateLimits.layerOff
  return redisUrl === undefined ? MemoryRateLimits.layer : RedisRateLimits.layer(redisUrl)
}
