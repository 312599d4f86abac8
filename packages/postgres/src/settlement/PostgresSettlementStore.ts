import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { settleBatch } from "@agent-marketplace/core/settlement/Batch"
import type { Order } from "@agent-marketplace/core/settlement/Order"
import type { Outcome } from "@agent-marketplace/core/settlement/Outcome"
import { readsOf } from "@agent-marketplace/core/settlement/Reads"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { Effect, Layer } from "effect"
import type { Duration } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Database } from "../Database.ts"
import { Notifications } from "../Notifications.ts"
import { asUnavailable } from "../Unavailable.ts"
import { foldCredits } from "./foldCredits.ts"
import { forgetAnswers } from "./forgetAnswers.ts"
import { loadState } from "./loadState.ts"
import { Collision, writeBatch } from "./writeBatch.ts"

/** How often a batch that collides with another process's is settled anew. */
const retries = 4

/** Refusals of the database that reading anew may resolve. */
const collides = (error: SqlError): boolean =>
  ["UniqueViolation", "ConstraintError", "SerializationError", "DeadlockError"].includes(error.reason._tag)

type Orders = ReadonlyArray<Order>
type Outcomes = ReadonlyArray<Outcome>

/** What still collides after all retries: away where two processes kept getting in each other's way, else a fault. */
const giveUp = ({ cause }: Collision): Effect.Effect<never, StoreUnavailable> => {
  const sqlError = cause as SqlError
  const unavailable = sqlError?._tag === "SqlError" ? asUnavailable(sqlError) : undefined
  return unavailable === undefined ? Effect.die(cause) : Effect.fail(unavailable)
}

const makeSettle = (database: Database["Service"], notifications: Notifications["Service"]) => {
  const { sql, transaction } = database

  const once = (orders: Orders): Effect.Effect<Outcomes, Collision | StoreUnavailable> => {
    let told = false
    const body = Effect.gen(function* () {
      const loaded = yield* loadState(sql, readsOf(orders))
      const { outcomes, writes } = settleBatch(loaded.state, orders)
      yield* writeBatch(sql, loaded, writes)
      told = writes.events.length > 0
      return outcomes
    }).pipe(
      Effect.catchTag("SqlError", (error) => Effect.fail(collides(error) ? new Collision({ cause: error }) : error))
    )
    return Effect.tap(transaction(body), () =>
      Effect.sync(() => {
        if (told) notifications.hint("events")
      })
    )
  }

  return (orders: Orders): Effect.Effect<Outcomes, StoreUnavailable> =>
    orders.length === 0
      ? Effect.succeed([])
      : Effect.retry(once(orders), { times: retries, while: (error) => error._tag === "Collision" }).pipe(
          Effect.catchTag("Collision", giveUp)
        )
}

export const PostgresSettlementStore: {
  readonly layer: Layer.Layer<SettlementStore, never, Database | Notifications>
} = {
  layer: Layer.effect(
    SettlementStore,
    Effect.gen(function* () {
      const database = yield* Database
      const settle = makeSettle(database, yield* Notifications)
      const every = (interval: Duration.Input, work: Effect.Effect<void, StoreUnavailable>) =>
        Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignoreCause(work), interval)))
      yield* every("1 second", foldCredits(database))
      yield* every("1 minute", forgetAnswers(database))
      return { settle }
    })
  )
}
