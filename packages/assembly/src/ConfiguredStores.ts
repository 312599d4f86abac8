import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import type { Configuration } from "@agent-marketplace/settings/Configuration"
import { Layer } from "effect"
import type { Redacted } from "effect"
import { tronChain } from "./tronChain.ts"

/** The ports of a market on that database, and the chain of its configuration. */
export const configuredStores = ({ tron }: Configuration, url: Redacted.Redacted) =>
  tron === undefined
    ? PostgresStores.layer({ url })
    : tronChain(tron).pipe(Layer.provideMerge(PostgresStores.withoutChain({ url })))
