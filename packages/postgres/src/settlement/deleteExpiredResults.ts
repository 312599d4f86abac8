import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { resultLifetime } from "@agent-marketplace/core/settlement/Idempotency"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { interval } from "../Row.ts"

const portion = 2000

/** The oldest first; rows that are being overwritten are skipped. */
const forget = `
  DELETE FROM idempotent_results WHERE (account_id, key) IN (
    SELECT account_id, key FROM idempotent_results WHERE at <= market_now() - ${interval(resultLifetime)}
    ORDER BY at LIMIT ${portion} FOR UPDATE SKIP LOCKED
  ) RETURNING 1`

/** Deletes the results of Idempotency-Keys that have expired (IDEMPOTENCY-2). */
export const deleteExpiredResults = (database: Database["Service"]): Effect.Effect<void, StoreUnavailable> =>
  Effect.flatMap(database.attempt(database.sql.unsafe(forget)), (gone) =>
    gone.length < portion ? Effect.void : deleteExpiredResults(database)
  )
