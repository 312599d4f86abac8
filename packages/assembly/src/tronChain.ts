import type { TronConfiguration } from "@agent-marketplace/settings/TronConfiguration"
import { Effect, Layer } from "effect"

/** The chain port on TRON. Its package is loaded only where it is used: the simulated chain needs none of it. */
export const tronChain = (configuration: TronConfiguration) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("@agent-marketplace/tron/chain/TronChain")),
      ({ configuredTronChain }) => configuredTronChain(configuration)
    )
  )
