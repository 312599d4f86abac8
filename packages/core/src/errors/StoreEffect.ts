import type { Effect } from "effect"
import type { StoreUnavailable } from "./MarketError.ts"

/** An effect that reads or writes a store, and so may also fail with `StoreUnavailable`. */
export type StoreEffect<A, E = never> = Effect.Effect<A, E | StoreUnavailable>
