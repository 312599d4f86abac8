import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { Client } from "pg"
import { PostgresMarketClock } from "../../src/clock/PostgresMarketClock.ts"
import { Database } from "../../src/Database.ts"
import { migrate } from "../../src/migrate.ts"
import { Notifications } from "../../src/Notifications.ts"
import { switchableProxy } from "../SwitchableProxy.ts"

const databaseAt = (url: string) =>
  Layer.effectDiscard(migrate).pipe(Layer.provideMerge(Database.layer({ url: Redacted.make(url), readConnections: 1 })))

/** The clock of a separate process. */
const clockOn = <E>(database: Layer.Layer<Database, E>) =>
  PostgresMarketClock.layer.pipe(
    Layer.provide(Notifications.layer),
    Layer.provide(database),
    Layer.fresh,
    Layer.build,
    Effect.map((context) => Context.get(context, MarketClock))
  )
const clockAt = (url: string) => clockOn(databaseAt(url))

/** A database that answers late once `after` is set, in milliseconds. */
const lateDatabaseAt = (url: string, late: { after: number }) =>
  Layer.effect(
    Database,
    Effect.map(Database, (database) => ({
      ...database,
      read: (...query: Parameters<typeof database.read>) =>
        Effect.suspend(() => Effect.delay(database.read<never>(...query), late.after))
    }))
  ).pipe(Layer.provide(databaseAt(url)))

const eventually = <E>(condition: Effect.Effect<boolean, E>) =>
  Effect.flatMap(condition, (holds) => (holds ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry({ times: 3000, schedule: Schedule.spaced("20 millis") })
  )

/** Ends every connection to a database except the one that runs it, and waits for the end of each. */
const endConnections = `SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`

const hour = 3600

describe("PostgresMarketClock", () => {
  it.live(
    "every process on one database has the same time, also after its connection was lost (OPERATOR-19, OPERATOR-20, DATABASE-6)",
    () =>
      Effect.gen(function* () {
        const url = yield* Effect.promise(() => createDatabase())
        const proxy = yield* Effect.acquireRelease(
          Effect.promise(() => switchableProxy(url)),
          ({ close }) => Effect.promise(close)
        )
        const [one, other] = [yield* clockAt(url), yield* clockAt(proxy.url)]
        const together = Effect.gen(function* () {
          return Math.abs((yield* one.now) - (yield* other.now)) < 500
        })
        assert.isTrue(yield* together)

        const advanced = yield* one.advance(hour)
        assert.isTrue((yield* one.now) >= advanced)
        assert.isTrue(yield* together, "the move is known before the call returns")

        proxy.turn("closed")
        yield* one.advance(hour)
        // The close is noticed soon after the move has returned.
        yield* eventually(Effect.match(other.now, { onFailure: () => true, onSuccess: () => false }))
        const { _tag } = yield* Effect.flip(other.now)
        assert.strictEqual(_tag, "StoreUnavailable", "a process without a connection cannot know the move (DATABASE-6)")
        assert.isBelow(Math.abs((yield* one.now) - hour * 1000 - (yield* other.lastKnown)), 500)
        proxy.turn("open")
        yield* eventually(Effect.orElseSucceed(together, () => false))
      }).pipe(Effect.scoped)
  )

  it.live(
    "a process that hears of a move does not answer with the time before it, however late its reading is (DATABASE-6)",
    () =>
      Effect.gen(function* () {
        const url = yield* Effect.promise(() => createDatabase())
        const late = { after: 0 }
        const [one, other] = [yield* clockAt(url), yield* clockOn(lateDatabaseAt(url, late))]
        const before = yield* one.now
        late.after = 500
        const move = yield* Effect.forkChild(one.advance(hour))
        yield* eventually(Effect.map(one.now, (now) => now > before + hour * 1000))
        yield* Effect.sleep("100 millis")
        const answered = yield* Effect.forEach(Array.from({ length: 20 }), () => other.now, {
          concurrency: "unbounded"
        })
        for (const time of answered) assert.isAtLeast(time, before + hour * 1000)
        yield* Fiber.join(move)
      }).pipe(Effect.scoped)
  )

  it.live("a move reaches processes whose connections PostgreSQL has just ended, as at a restart", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => createDatabase())
      const operator = new Client({ connectionString: url })
      yield* Effect.acquireRelease(
        Effect.promise(() => operator.connect()),
        () => Effect.promise(() => operator.end())
      )
      const [one, other] = [yield* clockAt(url), yield* clockAt(url)]
      for (const [mover, reader] of [
        [one, other],
        [other, one]
      ] as const) {
        yield* Effect.promise(() => operator.query(endConnections))
        const moved = yield* Effect.retry(mover.advance(hour), { times: 500, schedule: Schedule.spaced("5 millis") })
        assert.approximately(yield* reader.now, moved, 500)
      }
    }).pipe(Effect.scoped)
  )
})
