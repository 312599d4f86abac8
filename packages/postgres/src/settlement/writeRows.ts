import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Timestamp as Time } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { Purchase } from "@agent-marketplace/core/purchases/Purchase"
import type { Renewal } from "@agent-marketplace/core/purchases/Subscription"
import { CommandResultText } from "@agent-marketplace/core/settlement/CommandResult"
import type { WriteSet } from "@agent-marketplace/core/settlement/Batch"
import type { MarketState } from "@agent-marketplace/core/settlement/MarketState"
import type { LedgerAccount, WalletBalance } from "@agent-marketplace/core/wallets/Ledger"
import { approvalColumns } from "../approvals/ApprovalRow.ts"
import { renewalColumns, subscriptionColumns } from "../purchases/PurchaseRow.ts"
import { heldDepositColumns } from "../screening/HeldDepositRow.ts"
import { date, nullableDate } from "../Row.ts"
import { rowset } from "../Rowset.ts"
import { balanceColumns, withdrawalColumns } from "../wallets/WalletRow.ts"

/** Rows that are passed as JSON. */
type Rows = ReadonlyArray<object>

export const walletSet = rowset({
  account_id: "text",
  available: "int8",
  locked: "int8",
  total_deposits: "int8",
  total_withdrawals: "int8",
  total_spent: "int8",
  total_earned: "int8",
  debt: "int8"
})

export const lineSet = rowset({
  type: "text",
  debit: "text",
  debit_account: "text",
  credit: "text",
  credit_account: "text",
  amount: "int8",
  reference: "text",
  at: "timestamptz"
})

export const purchaseSet = rowset({
  id: "text",
  buyer_id: "text",
  seller_id: "text",
  agent_id: "text",
  item_id: "text",
  item_kind: "text",
  item_name: "text",
  item_slug: "text",
  item_description: "text",
  item_category: "text",
  item_creator: "text",
  amount: "int8",
  fee: "int8",
  status: "text",
  failure_reason: "text",
  tracking_id: "text",
  license_key: "text",
  license_type: "text",
  purchased_at: "timestamptz",
  expires_at: "timestamptz"
})

export const escrowSet = rowset({ account_id: "text", reference: "text", amount: "int8", released_at: "timestamptz" })

export const entitlementSet = rowset({ buyer_id: "text", item_id: "text", purchase_id: "text", state: "text" })

export const idempotentResultSet = rowset({ account_id: "text", key: "text", fingerprint: "text", result: "text" })

/** An event's accounts are an array literal: PostgreSQL's arrays of arrays must be rectangular. */
export const eventSet = rowset({
  type: "text",
  at: "timestamptz",
  subject: "text",
  accounts: "text",
  audience: "text",
  agent_id: "text",
  data: "text",
  traceparent: "text"
})

export const eventRows = ({ events }: WriteSet) =>
  events.map(({ accounts, agentId = null, at, audience = null, data, subject, traceparent = null, type }) => ({
    type,
    at: date(at),
    subject,
    accounts: `{${accounts.map((account) => JSON.stringify(account)).join(",")}}`,
    audience,
    agent_id: agentId,
    data: JSON.stringify(data),
    traceparent
  }))

const balanceRows = (balances: ReadonlyMap<AccountId, WalletBalance>) =>
  [...balances].map(([account_id, balance]) => ({ account_id, ...balanceColumns(balance) }))

/** Folded credits have to be written even if no command changes the wallet. */
export const walletRows = (folded: ReadonlyMap<AccountId, WalletBalance>, { wallets }: WriteSet) =>
  balanceRows(folded.size === 0 ? wallets : new Map([...folded, ...wallets]))

export const creditRows = ({ credits }: WriteSet) => balanceRows(credits)

/** The account of the ledger and, for a wallet, its owner. */
const split = (account: LedgerAccount): readonly [book: string, account: string | null] => {
  const colon = account.indexOf(":")
  return colon < 0 ? [account, null] : [account.slice(0, colon), account.slice(colon + 1)]
}

export const ledgerRows = ({ lines }: WriteSet) =>
  lines.map((line) => {
    const [debit, debit_account] = split(line.debit)
    const [credit, credit_account] = split(line.credit)
    return {
      type: line.type,
      debit,
      debit_account,
      credit,
      credit_account,
      amount: line.amount,
      reference: line.reference,
      at: date(line.at)
    }
  })

const purchaseRow = (purchase: Purchase) => ({
  id: purchase.id,
  buyer_id: purchase.buyerId,
  seller_id: purchase.sellerId,
  agent_id: purchase.agentId,
  item_id: purchase.item.id,
  item_kind: purchase.item.kind,
  item_name: purchase.item.name,
  item_slug: purchase.item.slug,
  item_description: purchase.item.description,
  item_category: purchase.item.category,
  item_creator: purchase.item.creator,
  amount: purchase.amount,
  fee: purchase.fee,
  status: purchase.status,
  failure_reason: purchase.failureReason,
  tracking_id: purchase.trackingId,
  license_key: purchase.licenseKey,
  license_type: purchase.licenseType,
  purchased_at: date(purchase.purchasedAt),
  expires_at: nullableDate(purchase.expiresAt)
})

export const newPurchaseRows = (state: MarketState, { purchases }: WriteSet) =>
  [...purchases.values()].filter(({ id }) => !state.purchases.has(id)).map(purchaseRow)

export const changedPurchaseRows = (state: MarketState, { purchases }: WriteSet): Rows =>
  [...purchases.values()]
    .filter(({ id }) => state.purchases.has(id))
    .map((purchase) => ({
      id: purchase.id,
      buyer_id: purchase.buyerId,
      status: purchase.status,
      failure_reason: purchase.failureReason,
      license_key: purchase.licenseKey,
      purchased_at: date(purchase.purchasedAt),
      expires_at: nullableDate(purchase.expiresAt)
    }))

export const entitlementRows = ({ entitlements }: WriteSet) =>
  [...entitlements.values()].flatMap(({ buyerId, entitlement, itemId }) =>
    entitlement === null
      ? []
      : [{ buyer_id: buyerId, item_id: itemId, purchase_id: entitlement.purchaseId, state: entitlement.state }]
  )

/** Deletes entitlements that end or are replaced; the replaced ones are then inserted again. */
export const releasedEntitlementRows = (state: MarketState, { entitlements }: WriteSet): Rows =>
  [...entitlements].flatMap(([key, { buyerId, entitlement, itemId }]) =>
    entitlement === null || state.entitlements.has(key) || state.purchases.has(entitlement.purchaseId)
      ? [{ buyer_id: buyerId, item_id: itemId }]
      : []
  )

/** Proceeds that enter escrow. */
export const newEscrowRows = (state: MarketState, { escrow }: WriteSet) =>
  [...escrow.values()].flatMap(({ accountId, amount, reference, releasedAt }) =>
    amount === 0n || state.escrow.has(reference)
      ? []
      : [{ account_id: accountId, reference, amount, released_at: date(releasedAt) }]
  )

/** Proceeds that were already in escrow, with the amount that remains; it may be 0. */
export const changedEscrowRows = (state: MarketState, { escrow }: WriteSet): Rows =>
  [...escrow.values()].flatMap(({ accountId, amount, reference }) =>
    state.escrow.has(reference) ? [{ account_id: accountId, reference, amount: String(amount) }] : []
  )

export const idempotentResultRows = ({ results }: WriteSet) =>
  [...results.values()].map(({ result, idempotency }) => ({
    account_id: idempotency.accountId,
    key: idempotency.key,
    fingerprint: idempotency.fingerprint,
    result: CommandResultText.encode(result)
  }))

export const approvalRows = ({ approvals }: WriteSet): Rows => [...approvals.values()].map(approvalColumns.write)

export const subscriptionRows = ({ subscriptions }: WriteSet): Rows =>
  [...subscriptions.values()].map(subscriptionColumns.write)

export const renewalRows = ({ renewals }: WriteSet): Rows => [...renewals.values()].map(renewalColumns.write)

export const withdrawalRows = ({ withdrawals }: WriteSet): Rows =>
  [...withdrawals.values()].map(withdrawalColumns.write)

export const depositRows = ({ deposits }: WriteSet): Rows =>
  deposits.map((deposit) => ({
    network: deposit.network,
    txid: deposit.txid,
    log_index: deposit.logIndex,
    account_id: deposit.accountId,
    address: deposit.address,
    amount: String(deposit.amount),
    block: deposit.block,
    at: date(deposit.at)
  }))

export const heldDepositRows = ({ heldDeposits }: WriteSet): Rows =>
  [...heldDeposits.values()].map(heldDepositColumns.write)

export const cursorRows = ({ cursors }: WriteSet): Rows =>
  [...cursors].map(([network, { agreed, block, id }]) => ({ network, block, id, agreed }))

/** Items whose sales change, and always those of a refund: their statistics are locked with the others. */
export const soldRows = ({ sold }: WriteSet): Rows => [...sold].map(([item_id, by]) => ({ item_id, by }))

/** Purchases that the batch refunds. */
export const refundRows = (state: MarketState, { purchases }: WriteSet): Rows =>
  [...purchases.values()]
    .filter(({ id, status }) => status === "refunded" && state.purchases.get(id)?.status !== "refunded")
    .map(({ amount, buyerId, item, purchasedAt }) => ({
      item_id: item.id,
      buyer_id: buyerId,
      purchased_at: date(purchasedAt),
      paid: amount > 0n
    }))

const minuteOf = (at: Timestamp): Timestamp => at - (at % (60 * Time.second))

/** What the batch adds to and subtracts from the trades and the revenue of each minute. A renewal is revenue, but not a trade (FEED-11). */
export const tradeRows = (state: MarketState, { purchases, renewals }: WriteSet): Rows => {
  const minutes = new Map<Timestamp, { trades: number; revenue: bigint }>()
  const add = (at: Timestamp, trades: number, revenue: bigint): void => {
    const minute = minuteOf(at)
    const before = minutes.get(minute) ?? { trades: 0, revenue: 0n }
    minutes.set(minute, { trades: before.trades + trades, revenue: before.revenue + revenue })
  }
  const count = (purchase: Purchase | undefined, sign: 1 | -1): void => {
    if (purchase?.status === "completed") add(purchase.purchasedAt, sign, BigInt(sign) * purchase.amount)
  }
  const countRenewal = (renewal: Renewal | undefined, sign: 1n | -1n): void => {
    if (renewal?.status === "completed") add(renewal.at, 0, sign * renewal.amount)
  }
  for (const renewal of renewals.values()) {
    countRenewal(state.renewals.get(renewal.id), -1n)
    countRenewal(renewal, 1n)
  }
  for (const purchase of purchases.values()) {
    count(state.purchases.get(purchase.id), -1)
    count(purchase, 1)
  }
  return [...minutes].flatMap(([minute, { revenue, trades }]) =>
    trades === 0 && revenue === 0n ? [] : [{ minute: date(minute), trades, revenue: String(revenue) }]
  )
}

/** What a batch adds to the totals of revocations. */
export const revocationRows = ({ revocations }: WriteSet) =>
  [...revocations].map(([id, { amount, covered, refunded, rejected }]) => ({
    id,
    refunded,
    amount: amount.toString(),
    covered: covered.toString(),
    rejected
  }))
