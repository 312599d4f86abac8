import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { WriteSet } from "@agent-marketplace/core/settlement/Batch"
import { settleBatch } from "@agent-marketplace/core/settlement/Batch"
import type { Command } from "@agent-marketplace/core/settlement/Command"
import type { Outcome } from "@agent-marketplace/core/settlement/Outcome"
import { readSetOf } from "@agent-marketplace/core/settlement/ReadSet"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { Effect, Layer } from "effect"
import type { Duration } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { resultLifetime } from "@agent-marketplace/core/settlement/Idempotency"
import { Database } from "../Database.ts"
import { Notifications } from "../Notifications.ts"
import { asUnavailable } from "../Unavailable.ts"
import { foldCredits } from "./foldCredits.ts"
import { loadState } from "./loadState.ts"
import { makePopularity } from "./Popularity.ts"
import { writingTransactionsEnded } from "./writingTransactionsEnded.ts"
import { Collision, writeBatch } from "./writeBatch.ts"
import { interval } from "../Row.ts"

const portion = 2000

/** The oldest first; rows that are being overwritten are skipped. */
const forget = `
  DELETE FROM idempotent_results WHERE (account_id, key) IN (
    SELECT account_id, key FROM idempotent_results WHERE at <= $1::timestamptz - ${interval(resultLifetime)}
    ORDER BY at LIMIT ${portion} FOR UPDATE SKIP LOCKED
  ) RETURNING 1`

/** Deletes the results of Idempotency-Keys that have expired (IDEMPOTENCY-2). */
export const deleteExpiredResults = (database: Database["Service"]): Effect.Effect<void, StoreUnavailable> => {
  const before = (now: Date | undefined): Effect.Effect<void, StoreUnavailable> =>
    Effect.flatMap(database.attempt(database.sql.unsafe(forget, [now])), (gone) =>
      gone.length < portion ? Effect.void : before(now)
    )
  return Effect.flatMap(database.read<{ readonly now: Date }>("SELECT market_now() AS now"), ([row]) =>
    before(row?.now)
  )
}

/** How often a batch that conflicts with another process's batch is settled again. */
const retries = 4

/** Database errors that reading again may resolve. */
const collides = (error: SqlError): boolean =>
  ["UniqueViolation", "ConstraintError", "SerializationError", "DeadlockError"].includes(error.reason._tag)

type Commands = ReadonlyArray<Command>
type Outcomes = ReadonlyArray<Outcome>

/** Maps a conflict that remains after the last retry: contention is reported as unavailable, anything else is a bug. */
const giveUp = ({ cause }: Collision): Effect.Effect<never, StoreUnavailable> => {
  const sqlError = cause as SqlError
  const unavailable = sqlError?._tag === "SqlError" ? asUnavailable(sqlError) : undefined
  return unavailable === undefined ? Effect.die(cause) : Effect.fail(unavailable)
}

const makeSettle = ({ sql, transaction }: Database["Service"], committed: (writes: WriteSet) => void) => {
  const once = (commands: Commands): Effect.Effect<Outcomes, Collision | StoreUnavailable> => {
    const body = Effect.gen(function* () {
      const loaded = yield* loadState(sql, readSetOf(commands))
      const settled = settleBatch(loaded.state, commands)
      yield* writeBatch(sql, loaded, settled.writes)
      return settled
    }).pipe(
      Effect.catchTag("SqlError", (error) => Effect.fail(collides(error) ? new Collision({ cause: error }) : error))
    )
    return Effect.map(transaction(body), ({ outcomes, writes }) => {
      committed(writes)
      return outcomes
    })
  }

  return (commands: Commands): Effect.Effect<Outcomes, StoreUnavailable> =>
    commands.length === 0
      ? Effect.succeed([])
      : Effect.retry(once(commands), { times: retries, while: (error) => error._tag === "Collision" }).pipe(
          Effect.catchTag("Collision", giveUp)
        )
}

/** Repeats background work. A run that finds the database unavailable is skipped; the next run does its work. */
const every = (interval: Duration.Input, work: Effect.Effect<void, StoreUnavailable>) =>
  work.pipe(
    Effect.ignore,
    Effect.catchCause((cause) => Effect.logError("the settlement store's background work failed", cause)),
    Effect.delay(interval),
    Effect.forever,
    Effect.forkScoped
  )

export const PostgresSettlementStore: {
  readonly layer: Layer.Layer<SettlementStore, never, Database | Notifications>
} = {
  layer: Layer.effect(
    SettlementStore,
    Effect.gen(function* () {
      const database = yield* Database
      const notifications = yield* Notifications
      const popularity = makePopularity(database)
      yield* every("5 seconds", foldCredits(database))
      yield* every("5 seconds", popularity.renew)
      yield* every("1 minute", deleteExpiredResults(database))
      yield* Effect.forkScoped(Effect.ignore(popularity.recover))
      return {
        settle: makeSettle(database, ({ events, sold }) => {
          if (events.length > 0) notifications.hint("events")
          popularity.sold(sold.keys())
        }),
        underWayDone: writingTransactionsEnded(database)
      }
    })
  )
}
