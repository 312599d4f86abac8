import { StoreHealth } from "@agent-marketplace/core/health/StoreHealth"
import { Effect, Layer } from "effect"

/** Memory takes every write, without preparation. */
export const MemoryStoreHealth: { readonly layer: Layer.Layer<StoreHealth> } = {
  layer: Layer.succeed(StoreHealth, { writable: Effect.void, prepare: Effect.succeed(null) })
}
