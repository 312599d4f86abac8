import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import type { AccountId, ForeignAssetId } from "@agent-marketplace/core/ids/Ids"
import type { ForeignAsset, ReceivedAsset } from "@agent-marketplace/core/wallets/ForeignAsset"
import type { ForeignAssetFilter, ReturnRequest } from "@agent-marketplace/core/wallets/ForeignAssetStore"
import { foreignAssetLimits, ForeignAssetStore } from "@agent-marketplace/core/wallets/ForeignAssetStore"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { appendActions } from "../admin/appendActions.ts"
import { Database } from "../Database.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { Time } from "../Row.ts"
import { date, time } from "../Row.ts"
import { rowset } from "../Rowset.ts"

interface AssetRow {
  readonly id: string
  readonly network: string
  readonly txid: string
  readonly log_index: number
  readonly kind: ForeignAsset["kind"]
  readonly asset: string
  readonly unverified_symbol: string | null
  readonly account_id: string
  readonly address: string
  readonly sender: string
  readonly amount: string
  readonly block: bigint
  readonly at: Time
  readonly state: ForeignAsset["state"]
  readonly destination: string | null
  readonly transaction_id: string | null
  readonly transaction_amount: string | null
  readonly failure: string | null
}

/** Amounts as text: they exceed the range of `bigint` columns. */
const columns = `id, network, txid, log_index, kind, asset, unverified_symbol, account_id, address, sender, amount::text AS amount, block, at, state,
  destination, transaction_id, transaction_amount::text AS transaction_amount, failure, seq`

const assetOf = (row: AssetRow): ForeignAsset => ({
  id: row.id as ForeignAssetId,
  network: row.network,
  txid: row.txid,
  logIndex: row.log_index,
  kind: row.kind,
  asset: row.asset,
  unverifiedSymbol: row.unverified_symbol,
  accountId: row.account_id as AccountId,
  address: row.address,
  sender: row.sender,
  amount: BigInt(row.amount),
  block: Number(row.block),
  at: time(row.at),
  state: row.state,
  destination: row.destination,
  transaction:
    row.transaction_id === null || row.transaction_amount === null
      ? null
      : { txid: row.transaction_id, amount: BigInt(row.transaction_amount) },
  failure: row.failure
})

const receivedSet = rowset({
  id: "text",
  txid: "text",
  log_index: "int4",
  kind: "text",
  asset: "text",
  account_id: "text",
  address: "text",
  sender: "text",
  amount: "text",
  block: "int8",
  at: "timestamptz"
})

const receivedRows = (received: ReadonlyArray<ReceivedAsset>) =>
  receivedSet.parameters(
    received.map((each) => ({
      id: each.id,
      txid: each.txid,
      log_index: each.logIndex,
      kind: each.kind,
      asset: each.asset,
      account_id: each.accountId,
      address: each.address,
      sender: each.sender,
      amount: String(each.amount),
      block: BigInt(each.block),
      at: date(each.at)
    }))
  )

/** The row of the day is locked until the transaction ends, so that concurrent recorders keep the limits together. */
const lockDay = `
  INSERT INTO foreign_asset_days (day) VALUES ((clock_timestamp() AT TIME ZONE 'UTC')::date)
  ON CONFLICT (day) DO UPDATE SET recorded = foreign_asset_days.recorded RETURNING day::text AS day, recorded`

/** `$1` the network, `$2` how many more may be recorded, `$3` the limit of an address. Counts the new transfers and the recorded ones among them. */
const recordNew = `
  WITH fresh AS (
    SELECT DISTINCT ON (txid, log_index) given.* FROM ${receivedSet.from(4, "given")}
    WHERE NOT EXISTS (SELECT FROM sweeps WHERE sweeps.transaction_id = given.txid)
      AND NOT EXISTS (
        SELECT FROM foreign_assets AS known
        WHERE known.network = $1::text AND known.txid = given.txid AND known.log_index = given.log_index
      )
    ORDER BY txid, log_index, position
  ), ranked AS (
    SELECT fresh.*, row_number() OVER (PARTITION BY address ORDER BY position)
      + (SELECT count(*) FROM foreign_assets AS held WHERE held.address = fresh.address AND held.state = 'received') AS place
    FROM fresh
  ), added AS (
    INSERT INTO foreign_assets (network, ${receivedSet.names})
    SELECT $1::text, id, txid, log_index, kind, asset, account_id, address, sender, amount::numeric, block, at
    FROM ranked WHERE place <= $3::bigint ORDER BY position LIMIT $2::bigint
    ON CONFLICT DO NOTHING RETURNING 1
  )
  SELECT (SELECT count(*) FROM fresh) AS fresh, (SELECT count(*) FROM added) AS added`

const countDay = `UPDATE foreign_asset_days SET recorded = recorded + $2::int, left_out = left_out + $3::bigint WHERE day = $1::date`

const unlimited = Number.MAX_SAFE_INTEGER

interface Counted {
  readonly fresh: bigint
  readonly added: bigint
}

const record = Effect.fnUntraced(function* (
  sql: SqlClient,
  network: string,
  received: ReadonlyArray<ReceivedAsset>,
  action: ActionDraft | null
) {
  const [day] = yield* sql.unsafe<{ readonly day: string; readonly recorded: number }>(lockDay)
  const left = Math.max(0, foreignAssetLimits.perDay - (day?.recorded ?? 0))
  const limits = action === null ? [left, foreignAssetLimits.perAddress] : [unlimited, unlimited]
  const [counted] = yield* sql.unsafe<Counted>(recordNew, [network, ...limits, ...receivedRows(received)])
  const { added = 0n, fresh = 0n } = counted ?? {}
  if (action === null) return yield* sql.unsafe(countDay, [day?.day, Number(added), fresh - added])
  if (added > 0n) yield* appendActions(sql, [{ ...action, before: null, after: { recorded: Number(added) } }])
})

const conditionOf = ({ state, txid }: ForeignAssetFilter) => {
  const given = [
    ["state", state],
    ["txid", txid]
  ].filter(([, value]) => value !== undefined)
  return {
    where: given.map(([column], i) => `${column} = $${i + 3}::text`).join(" AND ") || "true",
    values: given.map(([, value]) => value)
  }
}

const startReturn = `
  UPDATE foreign_assets SET state = 'returning', destination = $2::text, transaction_id = NULL, transaction_amount = NULL, failure = NULL
  WHERE id = $1::text RETURNING ${columns}`

/** The row is locked, as `SweepStore.start` locks it: no transaction starts meanwhile. */
const requestReturn = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: ForeignAssetId,
  destination: string,
  action: ActionDraft
): Effect.fn.Return<Option.Option<ReturnRequest>, SqlError> {
  const [found] = yield* sql.unsafe<AssetRow>(`SELECT ${columns} FROM foreign_assets WHERE id = $1::text FOR UPDATE`, [
    id
  ])
  if (found === undefined) return Option.none()
  const asset = assetOf(found)
  const isDecided = asset.state === "returning" || asset.state === "returned"
  if (isDecided && asset.destination === destination) return Option.some({ _tag: "Requested", asset, changed: false })
  const open = yield* sql.unsafe(`SELECT 1 FROM sweeps WHERE foreign_asset = $1::text AND ended IS NULL`, [id])
  if (asset.state === "returned" || open.length > 0) return Option.some({ _tag: "Sent", asset })
  const [changed] = yield* sql.unsafe<AssetRow>(startReturn, [id, destination])
  const before = { state: asset.state, destination: asset.destination }
  yield* appendActions(sql, [{ ...action, before, after: { state: "returning", destination } }])
  return Option.map(Option.fromNullishOr(changed), (row) => ({ _tag: "Requested", asset: assetOf(row), changed: true }))
})

export const PostgresForeignAssetStore: { readonly layer: Layer.Layer<ForeignAssetStore, never, Database> } = {
  layer: Layer.effect(
    ForeignAssetStore,
    Effect.map(Database, ({ attempt, read, readList, sql, transaction }) => ({
      record: (network, received, action) =>
        received.length === 0 ? Effect.void : Effect.asVoid(transaction(record(sql, network, received, action))),
      list: (filter, page) => {
        const { values, where } = conditionOf(filter)
        const text = pageQuery(columns, "foreign_assets", where, "seq DESC")
        return Effect.map(readList<AssetRow & PageRow>(text, [...pageParameters(page), ...values], false), (rows) =>
          pageOf(rows, assetOf)
        )
      },
      find: (id) =>
        Effect.map(read<AssetRow>(`SELECT ${columns} FROM foreign_assets WHERE id = $1::text`, [id]), ([row]) =>
          Option.map(Option.fromNullishOr(row), assetOf)
        ),
      leftOut: Effect.map(
        read<{ readonly sum: bigint }>(`SELECT coalesce(sum(left_out), 0)::bigint AS sum FROM foreign_asset_days`),
        ([row]) => Number(row?.sum ?? 0n)
      ),
      setSymbol: ({ asset, kind, network }, symbol) =>
        Effect.asVoid(
          attempt(sql`
            UPDATE foreign_assets SET unverified_symbol = ${symbol}
            WHERE network = ${network} AND kind = ${kind} AND asset = ${asset}`)
        ),
      requestReturn: (id, destination, action) => transaction(requestReturn(sql, id, destination, action))
    }))
  )
}
