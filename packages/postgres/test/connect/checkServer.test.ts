import { UnsuitableStore } from "@agent-marketplace/core/errors/UnsuitableStore"
import type { PgConnection } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { checkServer } from "../../src/connect/checkServer.ts"
import { Database } from "../../src/Database.ts"

/** A database that reports this version. */
const serverOf = (version: number) => {
  const query = () => Effect.succeed({ rows: [{ pid: 1, version }] } as unknown as PgConnection.Result)
  const connect = Effect.succeed({ processId: 1, query } as unknown as PgConnection.PgConnection)
  return Effect.provideService(checkServer, Database, { connect } as unknown as Database["Service"])
}

describe("checkServer", () => {
  it.effect("refuses versions before 15, and names the version (DATABASE-1)", () =>
    Effect.gen(function* () {
      const { cause } = yield* Effect.flip(serverOf(140_012))
      assert.instanceOf(cause, UnsuitableStore)
      assert.include(String(cause), "PostgreSQL 14")
      for (const version of [150_000, 180_004]) yield* serverOf(version)
    })
  )
})
