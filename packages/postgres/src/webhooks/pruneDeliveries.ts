import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { date } from "../Row.ts"

const makePartitions = `SELECT make_delivery_partitions() AS made`

const dropPartition = `SELECT drop_delivery_partition($1::timestamptz) AS dropped`

const pruneRows = `SELECT prune_deliveries($1::timestamptz, $2::int) AS gone`

/**
 * See `WebhookStore.prune` (DELIVERY-16). First makes the partitions of coming deliveries, and drops those in which every delivery is old; each statement is
 * one transaction, so an interrupted run leaves nothing half done (decision 46). What is left is deleted row by row.
 */
export const pruneDeliveries = ({ attempt, sql }: Pick<Database["Service"], "attempt" | "sql">) => {
  const dropOld = (before: Timestamp): Effect.Effect<void, StoreUnavailable> =>
    Effect.flatMap(
      attempt(sql.unsafe<{ readonly dropped: boolean }>(dropPartition, [date(before)])),
      ([row]): Effect.Effect<void, StoreUnavailable> => (row?.dropped === true ? dropOld(before) : Effect.void)
    )
  return Effect.fnUntraced(function* (before: Timestamp, limit: number) {
    yield* attempt(sql.unsafe(makePartitions))
    yield* dropOld(before)
    const [row] = yield* attempt(sql.unsafe<{ readonly gone: number }>(pruneRows, [date(before), limit]))
    return row?.gone ?? 0
  })
}
