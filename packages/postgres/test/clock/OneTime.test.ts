import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { Client } from "pg"
import { PostgresMarketClock } from "../../src/clock/PostgresMarketClock.ts"
import { Database } from "../../src/Database.ts"
import { migrate } from "../../src/migrate.ts"
import { Notifications } from "../../src/Notifications.ts"
import { switchableProxy } from "../SwitchableProxy.ts"

/** The clock of a separate process. */
const clockAt = (url: string) =>
  PostgresMarketClock.layer.pipe(
    Layer.provide(Notifications.layer),
    Layer.provide(
      Layer.effectDiscard(migrate).pipe(
        Layer.provideMerge(Database.layer({ url: Redacted.make(url), readConnections: 1 }))
      )
    ),
    Layer.fresh,
    Layer.build,
    Effect.map((context) => Context.get(context, MarketClock))
  )

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
