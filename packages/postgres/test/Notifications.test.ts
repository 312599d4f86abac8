import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { Client } from "pg"
import { advisoryLockClasses } from "../src/AdvisoryLocks.ts"
import { Database } from "../src/Database.ts"
import { lease } from "../src/Lease.ts"
import { readListeners } from "../src/Listeners.ts"
import { Notifications } from "../src/Notifications.ts"
import { switchableProxy } from "./SwitchableProxy.ts"

const databaseAt = (url: string) => Database.layer({ url: Redacted.make(url), readConnections: 1 })

const notificationsAt = (url: string) =>
  Effect.map(Layer.build(Layer.fresh(Notifications.layer.pipe(Layer.provide(databaseAt(url))))), (context) =>
    Context.get(context, Notifications)
  )

describe("Notifications", () => {
  it.live("a process is ready only once it listens for announcements and is counted as a listener (OPERATOR-19)", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => createDatabase())
      const database = Context.get(yield* Layer.build(databaseAt(url)), Database)
      const ids = new Set<number>()
      for (let listeners = 1; listeners <= 3; listeners++) {
        const { id, live } = yield* notificationsAt(url)
        assert.isTrue(yield* live)
        ids.add(id)
        const rows = yield* database.read<{ readonly id: number }>(readListeners)
        assert.deepStrictEqual(new Set(rows.map((row) => row.id)), ids)
      }
    }).pipe(Effect.scoped)
  )

  it.live("the layer is also built while the database is unavailable, and listens once it is back", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => createDatabase())
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => switchableProxy(url)),
        ({ close }) => Effect.promise(close)
      )
      proxy.turn("closed")
      const { live } = yield* notificationsAt(proxy.url)
      assert.isFalse(yield* live)
      proxy.turn("open")
      while (!(yield* live)) yield* Effect.sleep("20 millis")
    }).pipe(Effect.scoped)
  )

  it.live(
    "a process counts as a listener for as long as it may hold a lease, unless it leaves (KEY-6, DATABASE-6)",
    () =>
      Effect.gen(function* () {
        const url = yield* Effect.promise(() => createDatabase())
        const { id, listeners } = yield* notificationsAt(url)
        const are = (...ids: ReadonlyArray<number>) =>
          Effect.gen(function* () {
            const expected = ids.toSorted((a, b) => a - b).join()
            while ([...((yield* listeners) ?? [])].toSorted((a, b) => a - b).join() !== expected)
              yield* Effect.sleep("20 millis")
          })
        yield* are(id)

        const leaving = yield* Scope.make()
        const other = yield* Scope.provide(notificationsAt(url), leaving)
        yield* are(id, other.id)
        yield* Scope.close(leaving, Exit.void)
        const left = performance.now()
        yield* are(id)
        assert.isBelow(performance.now() - left, 2000)

        const client = new Client({ connectionString: url })
        yield* Effect.promise(async () => {
          await client.connect()
          await client.query(`SELECT pg_advisory_lock_shared(${advisoryLockClasses.listeners}, 7)`)
        })
        yield* are(id, 7)
        const seen = performance.now()
        yield* Effect.promise(() => client.end())
        yield* are(id)
        assert.isAbove(performance.now() - seen, 2 * lease - 100)
      }).pipe(Effect.scoped)
  )
})
