import type { PurchaseId } from "@agent-marketplace/core/ids/Ids"
import type { Activation, LicensedMachines } from "@agent-marketplace/core/licenses/Activation"
import { ActivationStore } from "@agent-marketplace/core/licenses/ActivationStore"
import { Effect, Layer, Option, Result } from "effect"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { purchaseColumns } from "../purchases/PurchaseRow.ts"
import { column, recordColumns } from "../RecordColumns.ts"
import { date } from "../Row.ts"

export const activationColumns = recordColumns<Activation>({
  purchaseId: column.id<PurchaseId>(),
  machine: column.text,
  label: column.orNull(column.text),
  activatedAt: column.time
})

const columns = Object.keys(activationColumns.columns).join(", ")

/** A refund and another machine wait until the transaction has ended. */
const lockPurchase = `SELECT * FROM purchases WHERE id = $1::text FOR NO KEY UPDATE`

/** Read after the lock, so that it includes the machines of transactions that held it before. */
const machines = `
  SELECT (SELECT max_activations FROM listings WHERE id = $3::text) AS max_activations,
    (SELECT count(*)::int FROM license_activations WHERE purchase_id = $1::text) AS used,
    known.* FROM (SELECT) AS one LEFT JOIN license_activations AS known ON purchase_id = $1::text AND machine = $2::text`

interface MachinesRow extends Row {
  readonly max_activations: number | null
  readonly used: number
  readonly machine: string | null
}

const insert = `INSERT INTO license_activations (${columns}) VALUES ($1::text, $2::text, $3::text, $4::timestamptz)`

const remove = `DELETE FROM license_activations WHERE purchase_id = $1::text AND machine = $2::text RETURNING machine`

const list = pageQuery(
  `machine AS id, ${columns}`,
  "license_activations",
  "purchase_id = $3::text",
  "activated_at DESC, machine"
)

export const PostgresActivationStore: { readonly layer: Layer.Layer<ActivationStore, never, Database> } = {
  layer: Layer.effect(
    ActivationStore,
    Effect.gen(function* () {
      const { attempt, read, sql, transaction } = yield* Database

      const stateOf = Effect.fnUntraced(function* (id: PurchaseId, machine: string) {
        const [row] = yield* sql.unsafe<Row>(lockPurchase, [id])
        if (row === undefined) return undefined
        const purchase = purchaseColumns.read(row)
        const [found] = yield* sql.unsafe<MachinesRow>(machines, [id, machine, purchase.item.id])
        const state: LicensedMachines = {
          purchase,
          limit: found?.max_activations ?? null,
          used: found?.used ?? 0,
          known: found === undefined || found.machine === null ? null : activationColumns.read(found)
        }
        return state
      })

      return {
        activate: (id, machine, rule) =>
          transaction(
            Effect.gen(function* () {
              const state = yield* stateOf(id, machine)
              if (state === undefined) return Option.none()
              const result = rule(state)
              if (Result.isSuccess(result) && state.known === null) {
                const { activatedAt, label } = result.success
                yield* sql.unsafe(insert, [id, machine, label, date(activatedAt)])
              }
              return Option.some(result)
            })
          ).pipe(Effect.withSpan("PostgresActivationStore.activate")),
        deactivate: (id, machine) =>
          Effect.map(attempt(sql.unsafe(remove, [id, machine])), (removed) => removed.length > 0),
        list: (id, page) =>
          Effect.map(read<Row & PageRow>(list, [...pageParameters(page), id]), (rows) =>
            pageOf(rows, activationColumns.read)
          )
      }
    })
  )
}
