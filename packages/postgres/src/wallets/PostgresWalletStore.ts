import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Deposit } from "@agent-marketplace/core/wallets/Deposit"
import type { LineType } from "@agent-marketplace/core/wallets/Ledger"
import { transactionType } from "@agent-marketplace/core/wallets/Ledger"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import type { RefusedPayout, WalletTransaction } from "@agent-marketplace/core/wallets/WalletStore"
import { openRules } from "@agent-marketplace/core/wallets/WithdrawalRules"
import { Effect, Layer, Option, Stream } from "effect"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { PageRow } from "../paging/pageOf.ts"
import type { Amount, Time } from "../Row.ts"
import { amount, date, time } from "../Row.ts"
import { arrayOf, rowset } from "../Rowset.ts"
import { audits, debtOf } from "./audits.ts"
import type { DebtRow } from "./audits.ts"
import {
  allTransactions,
  debts,
  dueEscrow,
  findWallet,
  issuedAddresses,
  ledgerTotals,
  payable,
  payoutLoad,
  pageOfTransactions
} from "./walletQueries.ts"
import type { BalanceColumns } from "./WalletRow.ts"
import { balanceOf, escrowColumns, withdrawalColumns } from "./WalletRow.ts"
import type { SavedAddressRow, WithdrawalRulesJson } from "./WithdrawalRulesRow.ts"
import { payoutColumns, payoutPauseOf, savedAddressOf, withdrawalRulesOf } from "./WithdrawalRulesRow.ts"

interface TransactionRow {
  readonly seq: bigint
  readonly type: LineType
  readonly side: "debit" | "credit"
  readonly amount: bigint
  readonly reference: string
  readonly agent_id: string | null
  readonly at: Date
  readonly balance_after: bigint
}

const transactionOf = (row: TransactionRow): WalletTransaction => ({
  id: `txn_${String(row.seq).padStart(12, "0")}`,
  type: transactionType(row.type, row.side),
  amount: row.amount,
  balanceAfter: Usdt.of(row.balance_after),
  reference: row.reference,
  agentId: row.agent_id as AgentId | null,
  createdAt: row.at.getTime()
})

interface FoundWallet extends BalanceColumns {
  readonly address: string | null
  readonly pending: bigint
  readonly escrow: ReadonlyArray<{ readonly amount: Amount; readonly released_at: Time }> | null
}

type WalletReads = Pick<
  WalletStore["Service"],
  | "find"
  | "transactions"
  | "exportTransactions"
  | "ownersOf"
  | "cursor"
  | "scanPosition"
  | "scanned"
  | "dueEscrow"
  | "debts"
>

const walletReads = ({ read, replica, stream }: Database["Service"]): WalletReads => ({
  find: (account) =>
    Effect.map(read<FoundWallet>(findWallet, [account]), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), (wallet) => ({
        ...balanceOf(wallet),
        pending: amount(wallet.pending),
        depositAddress: wallet.address,
        escrow: (wallet.escrow ?? []).map((day) => ({ amount: amount(day.amount), releasedAt: time(day.released_at) }))
      }))
    ),
  transactions: (account, page) => {
    const [limit, offset] = pageParameters(page)
    return Effect.map(
      replica.read<{ readonly total: bigint } & (TransactionRow | { readonly seq: null })>(pageOfTransactions, [
        account,
        Math.min(limit + offset, 2 ** 31 - 1),
        offset
      ]),
      (rows) => ({
        items: rows.flatMap((row) => (row.seq === null ? [] : [transactionOf(row)])),
        total: Number(rows[0]?.total ?? 0n)
      })
    )
  },
  exportTransactions: (account) => Stream.map(stream<TransactionRow>(allTransactions, [account]), transactionOf),
  ownersOf: (addresses) =>
    Effect.map(
      read<{ readonly address: string; readonly account_id: AccountId }>(
        `SELECT address, account_id FROM wallets WHERE address = ANY($1::text[])`,
        [arrayOf("text", addresses)]
      ),
      (rows) => new Map(rows.map(({ account_id, address }) => [address, account_id]))
    ),
  dueEscrow: (now, limit) =>
    Effect.map(read<Row>(dueEscrow, [date(now), limit]), (rows) => rows.map(escrowColumns.read)),
  debts: Effect.map(read<DebtRow>(debts), (rows) => rows.map(debtOf)),
  cursor: (network) =>
    Effect.map(
      read<{ readonly block: bigint }>(`SELECT block FROM scan_cursors WHERE network = $1::text`, [network]),
      ([row]) => Option.map(Option.fromUndefinedOr(row), ({ block }) => Number(block))
    ),
  scanPosition: (network) =>
    Effect.map(
      read<{ readonly block: bigint; readonly block_id: string | null; readonly agreed_block: bigint }>(
        `SELECT block, CASE WHEN id_block = block THEN block_id END AS block_id, coalesce(agreed_block, block) AS agreed_block
         FROM scan_cursors WHERE network = $1::text`,
        [network]
      ),
      ([row]) =>
        Option.map(Option.fromUndefinedOr(row), ({ agreed_block, block, block_id }) => ({
          block: Number(block),
          id: block_id,
          agreed: Number(agreed_block)
        }))
    ),
  scanned: Effect.map(
    read<{ readonly networks: ReadonlyArray<string> | null; readonly addresses: boolean }>(
      `SELECT (SELECT json_agg(network) FROM scan_cursors) AS networks,
        EXISTS (SELECT FROM wallets WHERE address IS NOT NULL) AS addresses`
    ),
    ([row]) => ({ networks: row?.networks ?? [], addresses: row?.addresses ?? false })
  )
})

type Addresses = Pick<WalletStore["Service"], "assignAddress">

/** If two first calls run concurrently, both take an index and one sets the address; the other's index stays unused for ever. */
const addresses = ({ attempt, read, sql }: Database["Service"]): Addresses => {
  const assigned = Effect.fnUntraced(function* (account: AccountId) {
    const [row] = yield* read<{ readonly address: string | null }>(
      `SELECT address FROM wallets WHERE account_id = $1::text`,
      [account]
    )
    return row === undefined ? yield* Effect.die(new Error(`${account} has no wallet`)) : row.address
  })
  const assign = Effect.fnUntraced(function* <E>(
    account: AccountId,
    derive: (index: number) => Effect.Effect<string, E>
  ): Effect.fn.Return<string, E | StoreUnavailable> {
    const before = yield* assigned(account)
    if (before !== null) return before
    const [taken] = yield* attempt(sql<{ readonly index: bigint }>`SELECT nextval('deposit_address_index') AS index`)
    const index = Number(taken?.index)
    const address = yield* derive(index)
    yield* attempt(sql`
      UPDATE wallets SET address = ${address}, address_index = ${index}::bigint
      WHERE account_id = ${account} AND address IS NULL`)
    return (yield* assigned(account)) ?? (yield* Effect.die(new Error(`${account} was assigned no deposit address`)))
  })
  return { assignAddress: assign }
}

const pendingSet = rowset({ network: "text", txid: "text", log_index: "int4", account_id: "text", amount: "int8" })

const insertPending = `
  INSERT INTO pending_deposits (${pendingSet.names}) SELECT ${pendingSet.names} FROM ${pendingSet.from(1, "pending")}
  ON CONFLICT DO NOTHING`

const pendingRow = (deposit: Deposit) => ({
  network: deposit.network,
  txid: deposit.txid,
  log_index: deposit.logIndex,
  account_id: deposit.accountId,
  amount: deposit.amount
})

type Pending = Pick<WalletStore["Service"], "replacePending">

const pending = ({ attempt, sql, transaction }: Database["Service"]): Pending => ({
  replacePending: (network, deposits) => {
    const removed = Effect.asVoid(sql`DELETE FROM pending_deposits WHERE network = ${network}`)
    if (deposits.length === 0) return attempt(removed)
    const inserted = sql.unsafe(insertPending, pendingSet.parameters(deposits.map(pendingRow)))
    return transaction(Effect.andThen(removed, Effect.asVoid(inserted)))
  }
})

const withdrawalPage = pageQuery("*", "withdrawals", "account_id = $3::text", "created_at DESC, seq DESC")
const addressPage = pageQuery(
  "seq, id, address, label, created_at",
  "withdrawal_addresses",
  "account_id = $3::text",
  "created_at DESC, seq DESC"
)

interface LoadRow {
  readonly queued: bigint
  readonly needed: Amount
  readonly completed: bigint
}

const readPause = `SELECT ${payoutColumns} FROM payouts`

type Withdrawals = Pick<
  WalletStore["Service"],
  | "findWithdrawal"
  | "listWithdrawals"
  | "withdrawalsIn"
  | "payoutLoad"
  | "payableWithdrawals"
  | "deferPayouts"
  | "refusedPayouts"
>

type Rules = Pick<WalletStore["Service"], "withdrawalRules" | "savedAddresses" | "payoutPause">

const rules = ({ read }: Database["Service"]): Rules => ({
  withdrawalRules: (account) =>
    Effect.map(
      read<{ readonly policy: WithdrawalRulesJson }>(
        `SELECT policy FROM withdrawal_policies WHERE account_id = $1::text`,
        [account]
      ),
      ([row]) => (row === undefined ? openRules : withdrawalRulesOf(row.policy))
    ),
  savedAddresses: (account, page) =>
    Effect.map(read<SavedAddressRow & PageRow>(addressPage, [...pageParameters(page), account]), (rows) =>
      pageOf(rows, savedAddressOf)
    ),
  payoutPause: Effect.map(read(readPause), payoutPauseOf)
})

const withdrawals = ({ attempt, read, replica, sql }: Database["Service"]): Withdrawals => ({
  payableWithdrawals: (now, limit) =>
    Effect.map(
      read<Row & { readonly payout_refusals: number; readonly screening_failure: string | null }>(payable, [
        date(now),
        limit
      ]),
      (rows) =>
        rows.map((row) => ({
          withdrawal: withdrawalColumns.read(row),
          refusals: row.payout_refusals,
          unscreened: row.screening_failure !== null
        }))
    ),
  refusedPayouts: (limit) =>
    read<RefusedPayout>(
      `SELECT id, coalesce(payout_refusal, '') AS reason FROM withdrawals
        WHERE state = 'queued' AND payout_refusals > 0 ORDER BY created_at, seq LIMIT $1::int`,
      [limit]
    ),
  deferPayouts: (ids, until, refusal) =>
    Effect.asVoid(
      attempt(sql`
        UPDATE withdrawals SET payout_after = ${date(until)}::timestamptz,
          payout_refusal = coalesce(${refusal}::text, payout_refusal),
          payout_refusals = payout_refusals + CASE WHEN ${refusal}::text IS NULL THEN 0 ELSE 1 END
        WHERE id = ANY(${arrayOf("text", ids)}::text[]) AND state = 'queued'`)
    ),
  findWithdrawal: (id, account) =>
    Effect.map(
      read<Row>(`SELECT * FROM withdrawals WHERE id = $1::text AND account_id = coalesce($2::text, account_id)`, [
        id,
        account
      ]),
      ([row]) => Option.map(Option.fromUndefinedOr(row), withdrawalColumns.read)
    ),
  listWithdrawals: (account, page) =>
    Effect.map(replica.read<Row & PageRow>(withdrawalPage, [...pageParameters(page), account]), (rows) =>
      pageOf(rows, withdrawalColumns.read)
    ),
  // A literal state, so that the partial index of open withdrawals is used.
  payoutLoad: (since) =>
    Effect.map(read<LoadRow>(payoutLoad, [date(since)]), ([row]) => ({
      queued: Number(row?.queued ?? 0),
      needed: amount(row?.needed ?? 0),
      completed: Number(row?.completed ?? 0)
    })),
  withdrawalsIn: (state, limit) =>
    Effect.map(
      read<Row>(
        `SELECT * FROM withdrawals WHERE state = '${state === "queued" ? "queued" : "broadcasting"}'
          ORDER BY created_at, seq LIMIT $1::int`,
        [limit]
      ),
      (rows) => rows.map(withdrawalColumns.read)
    )
})

interface TotalsRow {
  readonly wallets: Amount
  readonly platform: Amount
  readonly held: Amount
  readonly unattributed: Amount
  readonly deposits: Amount
  readonly withdrawals: Amount
}

interface GivenRow {
  readonly address_index: bigint
  readonly address: string
  readonly account_id: AccountId
  readonly credited: Amount
}

type Reckoning = Pick<WalletStore["Service"], "totals" | "issuedAddresses">

const reckoning = ({ longTransaction, sql, stream }: Database["Service"]): Reckoning => ({
  totals: Effect.map(longTransaction(sql.unsafe<TotalsRow>(ledgerTotals)), ([row]) => ({
    wallets: amount(row?.wallets ?? 0),
    platform: BigInt(row?.platform ?? 0),
    held: amount(row?.held ?? 0),
    unattributed: amount(row?.unattributed ?? 0),
    deposits: amount(row?.deposits ?? 0),
    withdrawals: amount(row?.withdrawals ?? 0)
  })),
  issuedAddresses: (network) =>
    Stream.map(stream<GivenRow>(issuedAddresses, [network]), ({ account_id, address, address_index, credited }) => ({
      index: Number(address_index),
      address,
      account: account_id,
      credited: amount(credited)
    }))
})

export const PostgresWalletStore: { readonly layer: Layer.Layer<WalletStore, never, Database> } = {
  layer: Layer.effect(
    WalletStore,
    Effect.map(Database, (database) => ({
      ...walletReads(database),
      ...addresses(database),
      ...pending(database),
      ...withdrawals(database),
      ...rules(database),
      ...reckoning(database),
      ...audits(database)
    }))
  )
}
