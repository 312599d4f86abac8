import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"
import type { Database } from "../Database.ts"

const portion = 2000

/** The oldest first; what somebody is writing over at this moment is left. */
const forget = `
  DELETE FROM idempotent_results WHERE (account_id, key) IN (
    SELECT account_id, key FROM idempotent_results WHERE at <= market_now() - interval '1 day'
    ORDER BY at LIMIT ${portion} FOR UPDATE SKIP LOCKED
  ) RETURNING 1`

/** Answers to Idempotency-Keys that do not count any more, 24 hours after they were given, go (IDEMPOTENCY-2). */
export const deleteExpiredResults = (database: Database["Service"]): Effect.Effect<void, StoreUnavailable> =>
  Effect.flatMap(database.attempt(database.sql.unsafe(forget)), (gone) =>
    gone.length < portion ? Effect.void : deleteExpiredResults(database)
  )
