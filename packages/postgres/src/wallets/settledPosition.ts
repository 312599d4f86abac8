import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { arrayOf } from "../Rowset.ts"

const pause = "5 millis"

const lastIssued = `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS position FROM ledger_lines_seq_seq`

/** A transaction holds this lock from before it numbers its first line until it ends. */
const appending = `
  SELECT virtualtransaction AS id FROM pg_locks
  WHERE locktype = 'relation' AND relation = 'ledger_lines'::regclass AND mode = 'RowExclusiveLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** The number of the last issued line, once every line up to it is committed or rolled back. */
export const settledPosition = ({ attempt, sql }: Database["Service"]): Effect.Effect<bigint, StoreUnavailable> => {
  const query = <Row extends object>(text: string, parameters: ReadonlyArray<unknown> = []) =>
    attempt(sql.unsafe<Row>(text, parameters))
  const ended = (ids: ReadonlyArray<string>): Effect.Effect<void, StoreUnavailable> =>
    ids.length === 0
      ? Effect.void
      : Effect.flatMap(
          query<{ readonly id: string }>(`${appending} AND virtualtransaction = ANY($1::text[])`, [
            arrayOf("text", ids)
          ]),
          (rows) => (rows.length === 0 ? Effect.void : Effect.delay(ended(rows.map(({ id }) => id)), pause))
        )
  return Effect.gen(function* () {
    // The number comes first: a line numbered after this statement is not included, whenever it is committed.
    const [last] = yield* query<{ readonly position: bigint }>(lastIssued)
    yield* ended((yield* query<{ readonly id: string }>(appending)).map(({ id }) => id))
    return BigInt(last?.position ?? 0n)
  })
}
