import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, AgentId, ItemId } from "@agent-marketplace/core/ids/Ids"
import { resultLifetime } from "@agent-marketplace/core/settlement/Idempotency"
import { CommandResultText } from "@agent-marketplace/core/settlement/CommandResult"
import type { CommandResult } from "@agent-marketplace/core/settlement/CommandResult"
import { purchaseStatuses } from "@agent-marketplace/core/purchases/Purchase"
import type {
  Budget,
  Entitlement,
  MarketState,
  IdempotentResult,
  SaleItem
} from "@agent-marketplace/core/settlement/MarketState"
import { resultKey, depositKey, entitlementKey } from "@agent-marketplace/core/settlement/MarketState"
import type { ReadSet } from "@agent-marketplace/core/settlement/ReadSet"
import type { WalletBalance } from "@agent-marketplace/core/wallets/Ledger"
import { addBalances } from "@agent-marketplace/core/wallets/Ledger"
import type { SqlClient } from "effect/sql/SqlClient"
import { pricingModels } from "@agent-marketplace/core/listings/ListingFields"
import { currencies } from "@agent-marketplace/core/money/ExchangeRates"
import { Effect, Schema } from "effect"
import { advisoryLocks } from "../AdvisoryLocks.ts"
import { approvalColumns, PolicyJson, policyOf } from "../approvals/ApprovalRow.ts"
import { purchaseColumns, renewalColumns, subscriptionColumns } from "../purchases/PurchaseRow.ts"
import { freezeOf } from "../identity/IdentityRow.ts"
import type { RecordColumns } from "../RecordColumns.ts"
import { amount, AmountColumn, date, decodeRows, idColumn, oneOf, interval, TimeColumn } from "../Row.ts"
import { arrayOf } from "../Rowset.ts"
import {
  balanceColumnNames,
  balanceOf,
  CreditColumns,
  escrowColumns,
  WalletColumns,
  withdrawalColumns
} from "../wallets/WalletRow.ts"
import { heldDepositColumns } from "../screening/HeldDepositRow.ts"
import { loadStandings, loadUsedTransactions, lockPayouts } from "./loadStandings.ts"
import { SpentRow, countedSpending, keptSums, spentOn } from "./spentWindows.ts"

const texts = (values: ReadonlyArray<string>) => arrayOf("text", values)

/** The wallets in the order of their ids, locked until the transaction ends, and the market's time. */
const lockWallets = `
  SELECT market_now() AS now, wallet.* FROM (SELECT pg_advisory_xact_lock_shared(${advisoryLocks.settlements})) AS always LEFT JOIN (
    SELECT account_id, ${balanceColumnNames.join(", ")} FROM wallets
    WHERE account_id = ANY($1::text[]) ORDER BY account_id FOR UPDATE
  ) AS wallet ON true`

const notFrozen = (seller: string) =>
  `NOT EXISTS (SELECT FROM accounts WHERE accounts.id = ${seller} AND accounts.frozen_at IS NOT NULL)`

/** Null if the seller has no wallet, which is a fault. */
const owes = (seller: string) => `(SELECT wallets.debt > 0 FROM wallets WHERE wallets.account_id = ${seller})`

/**
 * Runs in a statement after the lock, so that it sees the writes of the previous holder. OFFSET 0 forces a lookup of each pair by key,
 * however small a table seems.
 */
const loadSale = `
  WITH folded AS (
    DELETE FROM wallet_credits WHERE account_id = ANY($1::text[]) RETURNING account_id, ${balanceColumnNames.join(", ")}
  )
  SELECT
    (SELECT json_agg(credit) FROM (
      SELECT account_id, ${balanceColumnNames.map((name) => `sum(${name})::text AS ${name}`).join(", ")}
      FROM folded GROUP BY account_id
    ) AS credit) AS credits,
    (SELECT json_agg(budget) FROM (
      SELECT policies.subject_id, policies.policy, stored.until IS NOT NULL AS stored, spent.*
      FROM policies ${keptSums("$2::timestamptz")} CROSS JOIN LATERAL (${countedSpending("$2::timestamptz")}) AS spent
      WHERE policies.subject_id = ANY($3::text[])
    ) AS budget) AS budgets,
    (SELECT json_agg(frozen) FROM (
      SELECT id, frozen_at, frozen_reason FROM accounts WHERE frozen_at IS NOT NULL AND id = ANY($3::text[])
      UNION ALL SELECT id, frozen_at, frozen_reason FROM agents WHERE frozen_at IS NOT NULL AND id = ANY($3::text[])
    ) AS frozen) AS frozen,
    (SELECT json_agg(item) FROM (
      SELECT id, 'soul' AS kind, name, slug, description, category, author AS creator, author_id AS "sellerId", price,
        'USDC' AS currency, CASE WHEN price = 0 THEN 'free' ELSE 'one_time' END AS "pricingModel",
        visibility = 'public' AND NOT deleted AND NOT quarantined AND suspension IS NULL AND ${notFrozen("author_id")} AS "onSale",
        ${owes("author_id")} AS "sellerOwes"
      FROM souls WHERE id = ANY($4::text[])
      UNION ALL
      SELECT id, 'listing', name, slug, description, category, creator_name, creator_id, price, currency, pricing_model,
        status = 'approved' AND NOT quarantined AND ${notFrozen("creator_id")}, ${owes("creator_id")}
      FROM listings WHERE id = ANY($4::text[])
    ) AS item) AS items,
    (SELECT json_agg(entitlement) FROM (
      SELECT found.* FROM unnest($5::text[], $6::text[]) AS wanted (buyer_id, item_id) CROSS JOIN LATERAL (
        SELECT buyer_id, item_id, purchase_id, state FROM entitlements
        WHERE buyer_id = wanted.buyer_id AND item_id = wanted.item_id OFFSET 0
      ) AS found
    ) AS entitlement) AS entitlements,
    (SELECT json_agg(stored) FROM (
      SELECT found.* FROM unnest($7::text[], $8::text[]) AS wanted (account_id, key) CROSS JOIN LATERAL (
        SELECT account_id, key, fingerprint, result FROM idempotent_results
        WHERE account_id = wanted.account_id AND key = wanted.key AND at > $2::timestamptz - ${interval(resultLifetime)} OFFSET 0
      ) AS found
    ) AS stored) AS results`

/**
 * Reads that only commands other than plain purchases need. They run before the sale: the credits of every escrow they see are then folded.
 * Proceeds that the batch releases (`$17`) may be gone when it refunds, so a refund does not count on them. The payer of each purchase is
 * among the accounts whose wallets are locked (`$12`).
 */
const loadRecords = `
  SELECT
    (SELECT json_agg(purchase) FROM (
      SELECT * FROM purchases WHERE id = ANY($1::text[]) AND buyer_id = ANY($12::text[])
      UNION SELECT purchases.* FROM approvals JOIN purchases ON purchases.id = approvals.purchase_id AND purchases.buyer_id = approvals.account_id
      WHERE account_id = ANY($10::text[]) AND approvals.status = 'pending'
    ) AS purchase) AS purchases,
    (SELECT json_agg(approval) FROM (
      SELECT * FROM approvals WHERE id = ANY($2::text[])
      UNION SELECT * FROM approvals WHERE account_id = ANY($10::text[]) AND status = 'pending'
    ) AS approval) AS approvals,
    (SELECT json_agg(subscription) FROM (
      SELECT * FROM subscriptions WHERE id = ANY($3::text[])
      UNION SELECT * FROM subscriptions WHERE purchase_id = ANY($4::text[])
    ) AS subscription) AS subscriptions,
    (SELECT json_agg(withdrawals) FROM withdrawals WHERE id = ANY($5::text[])) AS withdrawals,
    (SELECT json_agg(deposit) FROM (
      SELECT found.* FROM unnest($6::text[], $7::text[], $8::int[]) AS wanted (network, txid, log_index) CROSS JOIN LATERAL (
        SELECT network, txid, log_index FROM deposits
        WHERE network = wanted.network AND txid = wanted.txid AND log_index = wanted.log_index OFFSET 0
      ) AS found
    ) AS deposit) AS deposits,
    (SELECT json_agg(json_build_object('network', network, 'block', block,
        'id', CASE WHEN id_block = block THEN block_id END, 'agreed', coalesce(agreed_block, block)))
      FROM scan_cursors WHERE network = ANY($9::text[])) AS cursors,
    (SELECT json_agg(renewals) FROM renewals WHERE id = ANY($11::text[])) AS renewals,
    (SELECT json_agg(held_deposits) FROM held_deposits WHERE id = ANY($16::text[])) AS held,
    (SELECT json_agg(found) FROM (
      SELECT account_id, reference, amount, released_at FROM escrow
      WHERE account_id = ANY($12::text[]) AND reference = ANY($13::text[])
      UNION
      SELECT ranked.account_id, ranked.reference, ranked.amount, ranked.released_at
      FROM unnest($14::text[], $15::int8[]) AS refunding (account_id, wanted) CROSS JOIN LATERAL (
        SELECT escrow.*, sum(amount) OVER (ORDER BY released_at DESC, reference DESC) - amount AS before
        FROM escrow WHERE escrow.account_id = refunding.account_id AND escrow.reference <> ALL($17::text[]) AND refunding.wanted > (
          SELECT coalesce(sum(own.amount), 0) FROM escrow AS own
          WHERE own.account_id = refunding.account_id AND own.reference = ANY($13::text[]) AND own.reference <> ALL($17::text[])
        )
      ) AS ranked WHERE ranked.before < refunding.wanted
    ) AS found) AS escrow`

type Rows<A> = ReadonlyArray<A> | null

const rows = <Row extends Schema.Top>(row: Row) => Schema.NullOr(Schema.Array(row))

const rowsOf = ({ columns }: Pick<RecordColumns<unknown>, "columns">) => rows(Schema.Struct(columns))

/** If no wallet is locked there is one row, for the time. */
interface LockRow {
  readonly now: Date | null
  readonly account_id: string | null
}

export const decodeWallets = decodeRows(Schema.Array(WalletColumns))

const SaleRow = Schema.Struct({
  credits: rows(CreditColumns),
  budgets: rows(Schema.Struct({ ...SpentRow.fields, policy: PolicyJson, stored: Schema.Boolean })),
  frozen: rows(
    Schema.Struct({
      id: idColumn<AccountId | AgentId>(),
      frozen_at: TimeColumn,
      frozen_reason: Schema.NullOr(Schema.String)
    })
  ),
  items: rows(
    Schema.Struct({
      id: idColumn<ItemId>(),
      kind: oneOf<SaleItem["kind"]>({ soul: true, listing: true }),
      name: Schema.String,
      slug: Schema.String,
      description: Schema.String,
      category: Schema.String,
      creator: Schema.String,
      sellerId: idColumn<AccountId>(),
      price: AmountColumn,
      currency: Schema.Literals(currencies),
      pricingModel: Schema.Literals(pricingModels),
      onSale: Schema.Boolean,
      sellerOwes: Schema.Boolean
    })
  ),
  entitlements: rows(
    Schema.Struct({
      buyer_id: idColumn<AccountId>(),
      item_id: idColumn<ItemId>(),
      purchase_id: idColumn<Entitlement["purchaseId"]>(),
      state: oneOf<Entitlement["state"]>({ pending_approval: true, owned: true })
    })
  ),
  results: rows(
    Schema.Struct({
      account_id: idColumn<AccountId | "admin">(),
      key: Schema.String,
      fingerprint: Schema.String,
      result: Schema.String
    })
  )
})

type SaleRow = typeof SaleRow.Type

const money = Schema.BigInt.check(Schema.isGreaterThanOrEqualToBigInt(0n))
const sold = Schema.Struct({ id: Schema.String, amount: money, fee: money, status: Schema.Literals(purchaseStatuses) })

const isResult = Schema.is(
  Schema.Union([
    Schema.TaggedStruct("Bought", { purchase: sold }),
    Schema.TaggedStruct("Decided", { approval: Schema.Struct({ id: Schema.String, amount: money }) }),
    Schema.TaggedStruct("Refunded", { sale: sold }),
    Schema.TaggedStruct("Subscription", { subscription: Schema.Struct({ id: Schema.String, price: money }) }),
    Schema.TaggedStruct("Withdrawal", { withdrawal: Schema.Struct({ id: Schema.String, amount: money, fee: money }) }),
    Schema.TaggedStruct("Done", {})
  ])
)

const resultOf = (text: string): CommandResult => {
  const result = CommandResultText.decode(text)
  if (!isResult(result)) throw new Error("the stored result of an Idempotency-Key is not one")
  return result
}

export const decodeSale = decodeRows(SaleRow)

const RecordsRow = Schema.Struct({
  purchases: rowsOf(purchaseColumns),
  approvals: rowsOf(approvalColumns),
  subscriptions: rowsOf(subscriptionColumns),
  withdrawals: rowsOf(withdrawalColumns),
  deposits: rows(Schema.Struct({ network: Schema.String, txid: Schema.String, log_index: Schema.Int })),
  renewals: rowsOf(renewalColumns),
  held: rowsOf(heldDepositColumns),
  escrow: rowsOf(escrowColumns),
  cursors: rows(
    Schema.Struct({
      network: Schema.String,
      block: Schema.Int,
      id: Schema.NullOr(Schema.String),
      agreed: Schema.Int
    })
  )
})

type RecordsRow = typeof RecordsRow.Type

const decodeRecords = decodeRows(RecordsRow)

const noRecords: RecordsRow = {
  purchases: null,
  approvals: null,
  subscriptions: null,
  withdrawals: null,
  deposits: null,
  cursors: null,
  renewals: null,
  held: null,
  escrow: null
}

const mapBy = <A, K, V>(rows: Rows<A>, entry: (row: A) => readonly [K, V]): Map<K, V> =>
  new Map((rows ?? []).map(entry))

const identified = <A, B extends { readonly id: K }, K>(rows: Rows<A>, decode: (row: A) => B): Map<K, B> =>
  mapBy(rows, (row) => {
    const record = decode(row)
    return [record.id, record]
  })

export interface Loaded {
  readonly state: MarketState
  /** Balances including the credits that were appended to them. These credits are deleted, so the balances have to be written. */
  readonly folded: ReadonlyMap<AccountId, WalletBalance>
}

const withCredits = (locked: ReadonlyArray<typeof WalletColumns.Type>, credits: SaleRow["credits"]) => {
  const wallets = mapBy(locked, (row) => [row.account_id, balanceOf(row)] as const)
  const folded = new Map<AccountId, WalletBalance>()
  for (const credit of credits ?? []) {
    const before = wallets.get(credit.account_id)
    if (before === undefined) throw new Error(`the credits of ${credit.account_id} were folded without its wallet`)
    const after = addBalances(before, balanceOf(credit))
    if (Object.values(after).some((balance) => balance < 0n))
      throw new Error(`the credits of ${credit.account_id} make a balance negative`)
    wallets.set(credit.account_id, after)
    folded.set(credit.account_id, after)
  }
  return { wallets, folded }
}

const budgetsOf = (rows: SaleRow["budgets"], known: ReadonlyMap<string, SpentRow>): Map<AccountId | AgentId, Budget> =>
  mapBy(rows, (row) => {
    const { day, month, week } = known.get(row.subject_id) ?? row
    return [
      row.subject_id,
      { policy: policyOf(row.policy), spent: { day: amount(day), week: amount(week), month: amount(month) } }
    ]
  })

const stateOf = (
  now: Timestamp,
  wallets: MarketState["wallets"],
  budgets: MarketState["budgets"],
  sale: SaleRow,
  records: RecordsRow,
  payouts: Pick<MarketState, "standings" | "payoutPause" | "usedTransactions">
): MarketState => ({
  ...payouts,
  now,
  wallets,
  budgets,
  frozen: new Map(
    (sale.frozen ?? []).flatMap((row) => {
      const freeze = freezeOf(row)
      return freeze === null ? [] : [[row.id, freeze] as const]
    })
  ),
  items: mapBy(sale.items, (row) => [row.id, { ...row, price: amount(row.price) }]),
  entitlements: mapBy(sale.entitlements, (row) => [
    entitlementKey(row.buyer_id, row.item_id),
    { purchaseId: row.purchase_id, state: row.state }
  ]),
  purchases: identified(records.purchases, purchaseColumns.read),
  approvals: identified(records.approvals, approvalColumns.read),
  subscriptions: identified(records.subscriptions, subscriptionColumns.read),
  renewals: identified(records.renewals, renewalColumns.read),
  escrow: mapBy(records.escrow, (row) => {
    const escrow = escrowColumns.read(row)
    return [escrow.reference, escrow]
  }),
  withdrawals: identified(records.withdrawals, withdrawalColumns.read),
  heldDeposits: identified(records.held, heldDepositColumns.read),
  credited: new Set((records.deposits ?? []).map((row) => depositKey(row.network, row.txid, row.log_index))),
  cursors: mapBy(records.cursors, ({ network, ...position }) => [network, position]),
  results: mapBy(sale.results, (row): readonly [string, IdempotentResult] => [
    resultKey(row.account_id, row.key),
    { fingerprint: row.fingerprint, result: resultOf(row.result) }
  ])
})

const needsRecords = (reads: ReadSet): boolean =>
  [
    reads.purchases,
    reads.approvals,
    reads.approvalsOf,
    reads.subscriptions,
    reads.subscriptionsOf,
    reads.withdrawals,
    reads.deposits,
    reads.heldDeposits,
    reads.cursors,
    reads.renewals,
    reads.escrow,
    reads.escrowOf
  ].some((list) => list.length > 0)

/** Locks the wallets and loads everything that the read set names, in a few statements, however many commands there are. */
export const loadState = Effect.fnUntraced(function* (sql: SqlClient, reads: ReadSet) {
  const locked = yield* sql.unsafe<LockRow>(lockWallets, [texts(reads.wallets)])
  // Time decides what is spent, expired and due: without it no command is decided.
  const now = locked[0]?.now?.getTime()
  if (now === undefined) return yield* Effect.die("the database returned no market time")
  const payoutPause = yield* lockPayouts(sql, reads.payouts)
  const usedTransactions = yield* loadUsedTransactions(sql, reads.transactions)
  const standings = yield* loadStandings(sql, reads.standings, now)
  const held = decodeWallets(locked.filter(({ account_id }) => account_id !== null))
  const present = held.map(({ account_id }) => account_id)
  // Every account has a wallet from its creation on.
  const missing = present.length === reads.wallets.length ? [] : reads.wallets.filter((id) => !present.includes(id))
  if (missing.length > 0) return yield* Effect.die(`no wallet: ${missing.join(", ")}`)
  const [found] = needsRecords(reads)
    ? yield* sql.unsafe(loadRecords, [
        texts(reads.purchases),
        texts(reads.approvals),
        texts(reads.subscriptions),
        texts(reads.subscriptionsOf),
        texts(reads.withdrawals),
        texts(reads.deposits.map(([network]) => network)),
        texts(reads.deposits.map(([, txid]) => txid)),
        arrayOf(
          "int4",
          reads.deposits.map(([, , logIndex]) => logIndex)
        ),
        texts(reads.cursors),
        texts(reads.approvalsOf),
        texts(reads.renewals),
        texts([...reads.wallets]),
        texts([...reads.escrow, ...reads.escrowOf.flatMap(({ references }) => references)]),
        texts(reads.escrowOf.map(({ account }) => account)),
        arrayOf(
          "int8",
          reads.escrowOf.map(({ wanted }) => wanted)
        ),
        texts(reads.heldDeposits),
        texts(reads.escrow)
      ])
    : []
  const [loaded] = yield* sql.unsafe(loadSale, [
    texts(present),
    date(now),
    texts([...reads.wallets, ...reads.agents]),
    texts(reads.items),
    texts(reads.entitlements.map(([buyer]) => buyer)),
    texts(reads.entitlements.map(([, item]) => item)),
    texts(reads.results.map(([account]) => account)),
    texts(reads.results.map(([, key]) => key))
  ])
  if (loaded === undefined) return yield* Effect.die("the state of the market could not be loaded")
  const sale = decodeSale(loaded)
  const records = found === undefined ? noRecords : decodeRecords(found)
  const budgets = budgetsOf(sale.budgets, yield* spentOn(sql, now, sale.budgets ?? []))
  const { folded, wallets } = withCredits(held, sale.credits)
  return { state: stateOf(now, wallets, budgets, sale, records, { standings, payoutPause, usedTransactions }), folded }
})
