import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, Redacted } from "effect"
import { Database } from "../src/Database.ts"
import { PostgresStores } from "../src/PostgresStores.ts"

/** Every port on a separate empty database, for one test file, and the database itself. */
export const testStores = Layer.unwrap(
  Effect.map(
    Effect.promise(() => createDatabase()),
    (url) => {
      const config = { url: Redacted.make(url) }
      return Layer.provideMerge(PostgresStores.layer(config), Database.layer(config))
    }
  )
).pipe(Layer.provide(NodeCrypto.layer))
