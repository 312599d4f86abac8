import type { Revocation } from "@agent-marketplace/core/advisories/Revocation"
import { refundsSince } from "@agent-marketplace/core/advisories/Revocation"
import type { RefundTarget, WorkPage } from "@agent-marketplace/core/advisories/RevocationStore"
import { RevocationStore } from "@agent-marketplace/core/advisories/RevocationStore"
import type { AccountId, ApprovalId, PurchaseId, RenewalId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Layer, Option } from "effect"
import { appendActions } from "../admin/appendActions.ts"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { PageRow } from "../paging/pageOf.ts"
import type { Amount, Time } from "../Row.ts"
import { amount, date, nullableDate, time } from "../Row.ts"
import { insertRevocation } from "./insertRevocation.ts"
import { revocationColumns } from "./RevocationRow.ts"

const pages = {
  all: pageQuery("*", "revocations", "true", "seq DESC"),
  ofItem: pageQuery("*", "revocations", "item_id = $3::text", "seq DESC")
} as const

const running = `SELECT * FROM revocations WHERE step <> 'done' ORDER BY seq LIMIT 1`

const waiting = `
  SELECT id, account_id, purchase_id FROM approvals WHERE item_id = $1::text AND status = 'pending' AND id > $2::text
  ORDER BY id LIMIT $3::int`

/**
 * The seller's purchases in the order of their time, a bounded number from the position on, so that the time of a page does not depend on what
 * else the seller sold. Every examined row is returned, with its state.
 */
const purchases = `
  SELECT id AS purchase_id, NULL AS renewal_id, buyer_id, seller_id, amount - fee AS net, purchased_at AS at, seq,
    item_id = $1::text AND status = 'completed' AS due
  FROM purchases
  WHERE seller_id = $2::text AND purchased_at >= $3::timestamptz AND purchased_at <= $4::timestamptz
    AND (purchased_at, seq) > ($5::timestamptz, $6::bigint)
  ORDER BY purchased_at, seq LIMIT $7::int`

const renewals = `
  SELECT renewals.purchase_id, renewals.id AS renewal_id, renewals.buyer_id, renewals.seller_id, renewals.amount - renewals.fee AS net,
    renewals.at, renewals.seq, purchases.item_id = $1::text AND renewals.status = 'completed' AS due
  FROM renewals JOIN purchases ON purchases.id = renewals.purchase_id AND purchases.buyer_id = renewals.buyer_id
  WHERE renewals.seller_id = $2::text AND renewals.at >= $3::timestamptz AND renewals.at <= $4::timestamptz
    AND (renewals.at, renewals.seq) > ($5::timestamptz, $6::bigint)
  ORDER BY renewals.at, renewals.seq LIMIT $7::int`

const move = `
  UPDATE revocations SET step = $2::text, position = $3::text, until = coalesce(until, $4::timestamptz), finished_at = $5::timestamptz
  WHERE id = $1::text AND step <> 'done' RETURNING id`

interface ExaminedRow {
  readonly purchase_id: string
  readonly renewal_id: string | null
  readonly buyer_id: string
  readonly seller_id: string
  readonly net: Amount
  readonly at: Time
  readonly seq: bigint
  readonly due: boolean
}

interface WaitingRow {
  readonly id: string
  readonly account_id: string
  readonly purchase_id: string
}

const targetOf = (row: ExaminedRow): RefundTarget => ({
  purchaseId: row.purchase_id as PurchaseId,
  renewalId: row.renewal_id as RenewalId | null,
  buyerId: row.buyer_id as AccountId,
  sellerId: row.seller_id as AccountId,
  net: amount(row.net)
})

/** The position after a row, as text. */
const positionOf = ({ at, seq }: ExaminedRow): string => `${time(at)} ${seq}`

const examinedPage = (rows: ReadonlyArray<ExaminedRow>, limit: number): WorkPage<RefundTarget> => {
  const last = rows.at(-1)
  return {
    items: rows.filter(({ due }) => due).map(targetOf),
    next: last === undefined || rows.length < limit ? null : positionOf(last)
  }
}

export const PostgresRevocationStore: { readonly layer: Layer.Layer<RevocationStore, never, Database> } = {
  layer: Layer.effect(
    RevocationStore,
    Effect.map(Database, ({ attempt, read, readList, sql, transaction }) => {
      const examine = (text: string, revocation: Revocation, limit: number) => {
        const since = refundsSince(revocation)
        if (since === null || revocation.until === null) return Effect.succeed({ items: [], next: null })
        const [at, seq] = revocation.position?.split(" ") ?? [String(since), "-1"]
        const { itemId, sellerId, until } = revocation
        return Effect.map(
          attempt(
            sql.unsafe<ExaminedRow>(text, [itemId, sellerId, date(since), date(until), date(Number(at)), seq, limit])
          ),
          (rows) => examinedPage(rows, limit)
        )
      }
      return {
        add: (draft, action) => transaction(Effect.andThen(insertRevocation(sql, draft), appendActions(sql, [action]))),
        find: (id) =>
          Effect.map(read<Row>(`SELECT * FROM revocations WHERE id = $1::text`, [id]), ([row]) =>
            Option.map(Option.fromUndefinedOr(row), revocationColumns.read)
          ),
        list: ({ itemId }, request) =>
          Effect.map(
            readList<Row & PageRow>(
              itemId === undefined ? pages.all : pages.ofItem,
              [...pageParameters(request), ...(itemId === undefined ? [] : [itemId])],
              false
            ),
            (rows) => pageOf(rows, revocationColumns.read)
          ),
        running: Effect.map(read<Row>(running), ([row]) =>
          Option.map(Option.fromUndefinedOr(row), revocationColumns.read)
        ),
        waiting: ({ itemId, position }, limit) =>
          Effect.map(read<WaitingRow>(waiting, [itemId, position ?? "", limit]), (rows) => ({
            items: rows.map(({ account_id, id, purchase_id }) => ({
              approvalId: id as ApprovalId,
              accountId: account_id as AccountId,
              purchaseId: purchase_id as PurchaseId
            })),
            next: rows.length < limit ? null : (rows.at(-1)?.id ?? null)
          })),
        purchases: (revocation, limit) => examine(purchases, revocation, limit),
        renewals: (revocation, limit) => examine(renewals, revocation, limit),
        move: (id, { action, finishedAt = null, position, step, until = null }) =>
          transaction(
            Effect.gen(function* () {
              const parameters = [id, step, position, nullableDate(until), nullableDate(finishedAt)]
              const moved = yield* sql.unsafe(move, parameters)
              if (moved.length > 0 && action !== undefined) yield* appendActions(sql, [action])
            })
          )
      }
    })
  )
}
