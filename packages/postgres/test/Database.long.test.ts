import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { createEmptyDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Redacted, Schedule } from "effect"
import { Database } from "../src/Database.ts"
import { migrate } from "../src/migrate.ts"
import { migrations } from "../src/migrations/migrations.ts"
import { switchableProxy } from "./SwitchableProxy.ts"

const databaseAt = (url: string) => Database.layer({ url: Redacted.make(url), readConnections: 2, writeConnections: 2 })

const emptyDatabase = Effect.promise(() => createEmptyDatabase())

const interruptible = Effect.gen(function* () {
  const direct = yield* emptyDatabase
  return yield* Effect.acquireRelease(
    Effect.promise(() => switchableProxy(direct)),
    (proxy) => Effect.promise(proxy.close)
  )
})

const attempts = Effect.gen(function* () {
  const { attempt, read, sql, transaction } = yield* Database
  return [read("SELECT 1 AS one"), attempt(sql`SELECT 1 AS one`), transaction(sql`SELECT 1 AS one`)]
})

const works = Effect.gen(function* () {
  for (const each of yield* attempts) assert.deepStrictEqual(yield* each, [{ one: 1 }])
})

describe("Database", () => {
  it.live("fails with StoreUnavailable while it is unavailable, and recovers automatically", () =>
    Effect.gen(function* () {
      const proxy = yield* interruptible
      yield* Effect.gen(function* () {
        yield* works
        for (const line of ["closed", "open", "closed", "open"] as const) {
          proxy.turn(line)
          if (line === "open") {
            yield* Effect.retry(works, { times: 200, schedule: Schedule.spaced("50 millis") })
          } else {
            for (const each of yield* attempts) assert.instanceOf(yield* Effect.flip(each), StoreUnavailable)
          }
        }
      }).pipe(Effect.provide(databaseAt(proxy.url)))
    }).pipe(Effect.scoped)
  )

  it.live("lists do not wait for searches, nor searches for lists (LOAD-9)", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      yield* Effect.gen(function* () {
        const { readList } = yield* Database
        for (const [busy, free] of [
          ["searches", "lists"],
          ["lists", "searches"]
        ] as const) {
          const slow = Array.from({ length: 12 }, (_, n) => readList("SELECT pg_sleep(0.5), $1::int", [n], false, busy))
          const running = yield* Effect.forkChild(Effect.all(slow, { concurrency: "unbounded" }))
          yield* Effect.sleep("100 millis")
          const first = yield* Effect.race(
            Effect.as(readList("SELECT 1 AS one", [], false, free), "free"),
            Effect.as(Fiber.join(running), "busy")
          )
          assert.strictEqual(first, "free")
          yield* Fiber.interrupt(running)
        }
      }).pipe(Effect.provide(databaseAt(url)))
    }).pipe(Effect.scoped)
  )

  it.live("a database that does not respond fails with StoreUnavailable within a few seconds", () =>
    Effect.gen(function* () {
      const proxy = yield* interruptible
      yield* Effect.gen(function* () {
        yield* works
        proxy.turn("silent")
        const started = performance.now()
        const failures = yield* Effect.forEach(yield* attempts, Effect.flip, { concurrency: "unbounded" })
        for (const failure of failures) assert.instanceOf(failure, StoreUnavailable)
        assert.isBelow(performance.now() - started, 20_000)
        proxy.turn("open")
        yield* Effect.retry(works, { times: 100, schedule: Schedule.spaced("100 millis") })
      }).pipe(Effect.provide(databaseAt(proxy.url)))
    }).pipe(Effect.scoped)
  )

  const slowCommit = [
    "CREATE TABLE slow (id int)",
    `CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3); RETURN NULL; END'`,
    "CREATE CONSTRAINT TRIGGER sleeps AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sleep()"
  ]

  for (const [where, text] of [
    ["in a statement", "SELECT pg_sleep(3)"],
    ["during its commit", "INSERT INTO slow VALUES (1)"]
  ] as const)
    it.live(`a transaction that loses its connection ${where} fails with StoreUnavailable`, () =>
      Effect.gen(function* () {
        const proxy = yield* interruptible
        yield* Effect.gen(function* () {
          const { sql, transaction } = yield* Database
          for (const statement of slowCommit) yield* sql.unsafe(statement)
          const cut = Effect.delay(
            Effect.sync(() => proxy.turn("closed")),
            "300 millis"
          )
          const [failure] = yield* Effect.all([Effect.flip(transaction(sql.unsafe(text))), cut], { concurrency: 2 })
          assert.instanceOf(failure, StoreUnavailable)
        }).pipe(Effect.provide(databaseAt(proxy.url)))
      }).pipe(Effect.scoped)
    )

  it.live("reads whose connections are lost are sent again", () =>
    Effect.gen(function* () {
      const proxy = yield* interruptible
      yield* Effect.gen(function* () {
        const { read, readList } = yield* Database
        const slow = "SELECT $1::int AS n FROM pg_sleep(0.5)"
        const reads = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? read(slow, [n]) : readList(slow, [n], true)))
        const cut = Effect.delay(
          Effect.sync(() => proxy.turn("open")),
          "200 millis"
        )
        const [rows] = yield* Effect.all([Effect.all(reads, { concurrency: "unbounded" }), cut], { concurrency: 2 })
        assert.deepStrictEqual(
          rows.map(([row]) => row),
          reads.map((_, n) => ({ n }))
        )
      }).pipe(Effect.provide(databaseAt(proxy.url)))
    }).pipe(Effect.scoped)
  )

  it.live("a connection left in an aborted transaction works again after one refusal", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      yield* Effect.gen(function* () {
        const { attempt, sql, transaction } = yield* Database
        for (const each of [transaction(sql`SELECT 1 AS one`), attempt(sql`SELECT 1 AS one`)]) {
          yield* sql.unsafe("BEGIN")
          yield* Effect.flip(sql`SELECT 1 / 0`)
          assert.instanceOf(yield* Effect.flip(each), StoreUnavailable)
          assert.deepStrictEqual(yield* each, [{ one: 1 }])
        }
      }).pipe(Effect.provide(Database.layer({ url: Redacted.make(url), writeConnections: 1 })))
    })
  )

  it.live("the server's statement timeout is longer than the client's, so that no statement is cancelled twice", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      yield* Effect.gen(function* () {
        const { longTransaction, migration, sql, transaction } = yield* Database
        const timeout = sql<{ readonly statement_timeout: string }>`SHOW statement_timeout`
        assert.deepStrictEqual(yield* transaction(timeout), [{ statement_timeout: "15s" }])
        assert.deepStrictEqual(yield* longTransaction(timeout), [{ statement_timeout: "610s" }])
        assert.deepStrictEqual(yield* migration(timeout), [{ statement_timeout: "21610s" }])
      }).pipe(Effect.provide(databaseAt(url)))
    })
  )

  it.live("an invalid statement dies: it is not reported as unavailable", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      yield* Effect.gen(function* () {
        const { attempt, read, sql } = yield* Database
        for (const each of [read("SELECT 1 / 0"), attempt(sql`SELECT nothing FROM nowhere`)]) {
          const exit = yield* Effect.exit(each)
          assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        }
      }).pipe(Effect.provide(databaseAt(url)))
    })
  )

  it.live("processes that start together apply exactly the declared migrations once", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const applied = yield* Effect.forEach(
        [1, 2, 3, 4],
        () => Effect.provide(migrate, databaseAt(url), { local: true }),
        {
          concurrency: "unbounded"
        }
      )
      assert.deepStrictEqual(
        applied.map(({ length }) => length).toSorted((a, b) => a - b),
        [0, 0, 0, Object.keys(migrations).length]
      )
      const rows = yield* Effect.gen(function* () {
        const { read } = yield* Database
        return yield* read<{ readonly migration_id: number; readonly name: string }>(
          "SELECT migration_id, name FROM migrations ORDER BY migration_id"
        )
      }).pipe(Effect.provide(databaseAt(url)))
      const named = rows.map(({ migration_id, name }) => `${String(migration_id).padStart(4, "0")}_${name}`)
      assert.deepStrictEqual(named, Object.keys(migrations))
      assert.deepStrictEqual(
        rows.map(({ migration_id }) => migration_id),
        rows.map((_, i) => i + 1)
      )
    })
  )
})
