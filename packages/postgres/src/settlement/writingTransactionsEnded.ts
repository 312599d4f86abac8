import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { arrayOf } from "../Rowset.ts"

/** The interval between two checks of the transactions that are waited for. */
const pause = "5 millis"

/** A settlement gets its transaction id when it locks a wallet, which is before it reads anything else. */
const writing = `
  SELECT backend_xid::text AS xid FROM pg_stat_activity
  WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()`

const stillWriting = `${writing} AND backend_xid::text = ANY($1::text[])`

/** Returns when every transaction of this database that was writing at the call has ended. */
export const writingTransactionsEnded = (database: Database["Service"]): Effect.Effect<void, StoreUnavailable> => {
  const wait = (xids: ReadonlyArray<string>): Effect.Effect<void, StoreUnavailable> =>
    xids.length === 0
      ? Effect.void
      : Effect.flatMap(
          database.attempt(database.sql.unsafe<{ readonly xid: string }>(stillWriting, [arrayOf("text", xids)])),
          (rows) => (rows.length === 0 ? Effect.void : Effect.delay(wait(rows.map(({ xid }) => xid)), pause))
        )
  return Effect.flatMap(database.attempt(database.sql.unsafe<{ readonly xid: string }>(writing)), (rows) =>
    wait(rows.map(({ xid }) => xid))
  )
}
