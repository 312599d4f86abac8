import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import type { Configuration } from "@agent-marketplace/settings/Configuration"
import type { TronConfiguration } from "@agent-marketplace/settings/TronConfiguration"
import { Effect, Layer } from "effect"
import type { Redacted } from "effect"

/** Loaded only where it is used: the simulated chain needs none of it. */
const tronChain = (configuration: TronConfiguration) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("@agent-marketplace/tron/chain/ConfiguredTronChain")),
      ({ configuredTronChain }) => configuredTronChain(configuration)
    )
  )

/** The ports of a market on that database, and the chain of its configuration. */
export const databaseStores = ({ tron }: Configuration, url: Redacted.Redacted) =>
  tron === undefined
    ? PostgresStores.layer({ url })
    : Layer.merge(PostgresStores.withoutChain({ url }), tronChain(tron))
