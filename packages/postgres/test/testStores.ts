import { createDatabase } from "@agent-marketplace/testkit/postgres/TestPostgres"
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import { PostgresStores } from "../src/PostgresStores.ts"

/** Every port on an empty database of its own, for one test file. */
export const testStores = Layer.unwrap(
  Effect.map(
    Effect.promise(() => createDatabase()),
    (url) => PostgresStores.layer({ url: Redacted.make(url) })
  )
).pipe(Layer.provide(NodeCrypto.layer))
