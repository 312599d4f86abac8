import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import { actionStoreContract } from "@agent-marketplace/testkit/admin/ActionStoreContract"
import { freshId } from "@agent-marketplace/testkit/fixtures/freshId"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { PostgresStores } from "../../src/PostgresStores.ts"
import { testStores } from "../testStores.ts"

actionStoreContract("postgres", testStores)

describe("the log of the operator's actions", () => {
  it.live("is protected from every change by the database itself (OPERATOR-14)", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => createDatabase())
      const stores = PostgresStores.layer({ url: Redacted.make(url) }).pipe(Layer.provide(NodeCrypto.layer))
      yield* Effect.gen(function* () {
        const store = yield* ActionStore
        const subject = freshId("usr")
        yield* store.append({
          id: freshId("act"),
          at: 0,
          actor: "grace",
          action: "account.freeze",
          subject,
          before: null,
          after: null,
          reason: null,
          requestId: "request-1"
        })
        const client = new Client({ connectionString: url })
        yield* Effect.promise(() => client.connect())
        for (const change of [
          "UPDATE operator_actions SET actor = 'nobody'",
          "DELETE FROM operator_actions",
          "TRUNCATE operator_actions"
        ]) {
          const refused = yield* Effect.promise(() => client.query(change).then(() => "done", String))
          assert.include(refused, "operator_actions only grows")
        }
        yield* Effect.promise(() => client.end())
        const { items } = yield* store.list({ subject }, { page: 1, limit: 10 })
        assert.deepStrictEqual([items.length, items[0]?.actor], [1, "grace"])
      }).pipe(Effect.provide(stores))
    })
  )
})
