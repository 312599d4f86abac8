import type { Condition, ConditionKind } from "@agent-marketplace/core/health/Condition"
import { conditionEvent } from "@agent-marketplace/core/health/Condition"
import { ConditionStore } from "@agent-marketplace/core/health/ConditionStore"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"
import { appendEvents } from "../events/appendEvents.ts"
import { Notifications } from "../Notifications.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { Time } from "../Row.ts"
import { date, nullableTime, time } from "../Row.ts"

interface ConditionRow {
  readonly kind: string
  readonly detail: string | null
  readonly since: Time
  readonly ended_at: Time | null
}

const conditionOf = ({ detail, ended_at, kind, since }: ConditionRow): Condition => ({
  kind: kind as ConditionKind,
  detail,
  since: time(since),
  endedAt: nullableTime(ended_at)
})

const columns = "kind, detail, since, ended_at"

const openConditions = `SELECT ${columns} FROM conditions WHERE ended_at IS NULL ORDER BY id`

const listOf = (filter: string) => pageQuery(`id, ${columns}`, "conditions", filter, "id DESC")
const lists = { all: listOf("true"), open: listOf("ended_at IS NULL"), ended: listOf("ended_at IS NOT NULL") }

/** Returns no row if nothing changed. A row that was inserted has no previous version. */
const raiseCondition = `
  INSERT INTO conditions (kind, detail, since) VALUES ($1, $2, $3)
  ON CONFLICT (kind) WHERE ended_at IS NULL DO UPDATE SET detail = EXCLUDED.detail
  WHERE conditions.detail IS DISTINCT FROM EXCLUDED.detail
  RETURNING ${columns}, xmax = 0 AS inserted`

const endCondition = `UPDATE conditions SET ended_at = $2 WHERE kind = $1 AND ended_at IS NULL RETURNING ${columns}`

export const PostgresConditionStore: {
  readonly layer: Layer.Layer<ConditionStore, never, Database | Notifications>
} = {
  layer: Layer.effect(
    ConditionStore,
    Effect.gen(function* () {
      const { read, sql, transaction } = yield* Database
      const { hint } = yield* Notifications
      return {
        open: Effect.map(read<ConditionRow>(openConditions), (rows) => rows.map(conditionOf)),
        list: ({ open }, page) =>
          Effect.map(
            read<ConditionRow & PageRow>(
              open === undefined ? lists.all : open ? lists.open : lists.ended,
              pageParameters(page)
            ),
            (rows) => pageOf(rows, conditionOf)
          ),
        raise: Effect.fn("PostgresConditionStore.raise")(function* ({ at, detail, kind }) {
          const result = yield* transaction(
            Effect.gen(function* () {
              const rows = yield* sql.unsafe<ConditionRow & { readonly inserted: boolean }>(raiseCondition, [
                kind,
                detail,
                date(at)
              ])
              const [row] = rows
              if (row === undefined) return "unchanged"
              if (!row.inserted) return "changed"
              yield* appendEvents(sql, [conditionEvent(conditionOf(row))])
              return "raised"
            })
          )
          if (result === "raised") hint("events")
          return result
        }),
        clear: Effect.fn("PostgresConditionStore.clear")(function* (kind, at) {
          const ended = yield* transaction(
            Effect.tap(sql.unsafe<ConditionRow>(endCondition, [kind, date(at)]), (rows) =>
              appendEvents(
                sql,
                rows.map((row) => conditionEvent(conditionOf(row)))
              )
            )
          )
          if (ended.length > 0) hint("events")
          return ended.length > 0
        })
      }
    })
  )
}
