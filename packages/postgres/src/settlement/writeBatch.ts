import type { WriteSet } from "@agent-marketplace/core/settlement/Batch"
import { resultLifetime } from "@agent-marketplace/core/settlement/Idempotency"
import { Data, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { date, interval } from "../Row.ts"
import { discountRefunds, exactPopularity, shareCursor } from "./Popularity.ts"
import { balanceColumnNames } from "../wallets/WalletRow.ts"
import {
  idempotentResultSet,
  eventRows,
  eventSet,
  entitlementSet,
  escrowSet,
  lineSet,
  purchaseSet,
  walletSet
} from "./writeRows.ts"
import {
  approvalRows,
  idempotentResultRows,
  creditRows,
  newEscrowRows,
  changedEscrowRows,
  entitlementRows,
  ledgerRows,
  newPurchaseRows,
  changedPurchaseRows,
  refundRows,
  releasedEntitlementRows,
  renewalRows,
  revocationRows,
  soldRows,
  subscriptionRows,
  tradeRows,
  depositRows,
  heldDepositRows,
  cursorRows,
  walletRows,
  withdrawalRows
} from "./writeRows.ts"
import type { Loaded } from "./loadState.ts"
import { writeStandings } from "./writeStandings.ts"
import { forgetSpent } from "./spentWindows.ts"

/** Another process has written rows that this batch had read: the batch has to be read and settled again. */
export class Collision extends Data.TaggedError("Collision")<{ readonly cause: unknown }> {}

const item =
  "item_id text, item_kind text, item_name text, item_slug text, item_description text, item_category text, item_creator text"
const itemNames = item.replaceAll(" text", "")

const balanceNames = balanceColumnNames.join(", ")

/** The rowsets of a sale in the order of their parameters; the last parameter is the market's time. */
const sets = {
  wallets: walletSet,
  credits: walletSet,
  lines: lineSet,
  purchases: purchaseSet,
  entitlements: entitlementSet,
  escrow: escrowSet,
  events: eventSet,
  results: idempotentResultSet
} as const

const first = (name: keyof typeof sets): number => {
  const names = Object.keys(sets) as ReadonlyArray<keyof typeof sets>
  return names.slice(0, names.indexOf(name)).reduce((position, each) => position + sets[each].width, 1)
}
const now = `$${first("results") + idempotentResultSet.width}::timestamptz`

/** The rows that every sale writes. */
const writeSale = `
  WITH
  wallet AS (
    UPDATE wallets SET ${balanceColumnNames.map((name) => `${name} = changed.${name}`).join(", ")}
    FROM ${walletSet.from(first("wallets"), "changed")}
    WHERE wallets.account_id = changed.account_id
    RETURNING 1
  ),
  credit AS (
    INSERT INTO wallet_credits (account_id, ${balanceNames})
    SELECT account_id, ${balanceNames} FROM ${walletSet.from(first("credits"), "credit")}
  ),
  line AS (
    INSERT INTO ledger_lines (${lineSet.names})
    SELECT ${lineSet.names} FROM ${lineSet.from(first("lines"), "line")} ORDER BY position
  ),
  purchase AS (
    INSERT INTO purchases (${purchaseSet.names})
    SELECT ${purchaseSet.names} FROM ${purchaseSet.from(first("purchases"), "purchase")} ORDER BY position
  ),
  entitlement AS (
    INSERT INTO entitlements (${entitlementSet.names})
    SELECT ${entitlementSet.names} FROM ${entitlementSet.from(first("entitlements"), "entitlement")}
  ),
  escrow AS (
    INSERT INTO escrow (${escrowSet.names}) SELECT ${escrowSet.names} FROM ${escrowSet.from(first("escrow"), "locked")}
  ),
  event AS (
    INSERT INTO events (${eventSet.names})
    SELECT type, at, subject, accounts::text[], audience, agent_id, data::json, traceparent
    FROM ${eventSet.from(first("events"), "event")} ORDER BY position
  ),
  result AS (
    INSERT INTO idempotent_results (${idempotentResultSet.names}, at)
    SELECT ${idempotentResultSet.names}, ${now} FROM ${idempotentResultSet.from(first("results"), "result")}
    ON CONFLICT (account_id, key)
      DO UPDATE SET fingerprint = EXCLUDED.fingerprint, result = EXCLUDED.result, at = EXCLUDED.at
      WHERE idempotent_results.at <= EXCLUDED.at - ${interval(resultLifetime)}
    RETURNING 1
  )
  SELECT
    (SELECT count(*) FROM wallet) AS wallets,
    (SELECT count(*) FROM result) AS results`

/** The rows that only commands other than plain purchases write. They run before the sale, so that released money may be held again. */
const writeRecords = `
  WITH
  released AS (
    DELETE FROM entitlements USING json_to_recordset($1::json) AS released (buyer_id text, item_id text)
    WHERE entitlements.buyer_id = released.buyer_id AND entitlements.item_id = released.item_id
  ),
  purchase AS (
    UPDATE purchases SET status = changed.status, failure_reason = changed.failure_reason, license_key = changed.license_key, purchased_at = changed.purchased_at,
      expires_at = changed.expires_at
    FROM json_to_recordset($2::json) AS changed (id text, buyer_id text, status text, failure_reason text, license_key text,
      purchased_at timestamptz, expires_at timestamptz)
    WHERE purchases.id = changed.id AND purchases.buyer_id = changed.buyer_id RETURNING purchases.buyer_id, purchases.agent_id
  ),
  approval AS (
    INSERT INTO approvals (id, purchase_id, account_id, agent_id, ${itemNames}, amount, pricing_model, status, requested_at, expires_at, decided_at)
    SELECT id, purchase_id, account_id, agent_id, ${itemNames}, amount, pricing_model, status, requested_at, expires_at, decided_at
    FROM json_to_recordset($3::json) AS approval (id text, purchase_id text, account_id text, agent_id text, ${item}, amount bigint,
      pricing_model text, status text, requested_at timestamptz, expires_at timestamptz, decided_at timestamptz)
    ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status, decided_at = EXCLUDED.decided_at
  ),
  subscription AS (
    INSERT INTO subscriptions (id, purchase_id, buyer_id, seller_id, agent_id, ${itemNames}, price, status, current_period_start,
      current_period_end, cancel_at_period_end, refused_since, next_attempt_at)
    SELECT id, purchase_id, buyer_id, seller_id, agent_id, ${itemNames}, price, status, current_period_start,
      current_period_end, cancel_at_period_end, refused_since, next_attempt_at
    FROM json_to_recordset($4::json) AS subscription (id text, purchase_id text, buyer_id text, seller_id text, agent_id text, ${item},
      price bigint, status text, current_period_start timestamptz, current_period_end timestamptz, cancel_at_period_end boolean,
      refused_since timestamptz, next_attempt_at timestamptz)
    ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status, current_period_start = EXCLUDED.current_period_start,
      current_period_end = EXCLUDED.current_period_end, cancel_at_period_end = EXCLUDED.cancel_at_period_end,
      refused_since = EXCLUDED.refused_since, next_attempt_at = EXCLUDED.next_attempt_at
  ),
  renewal AS (
    INSERT INTO renewals (id, subscription_id, purchase_id, buyer_id, seller_id, agent_id, amount, fee, status, at)
    SELECT id, subscription_id, purchase_id, buyer_id, seller_id, agent_id, amount, fee, status, at
    FROM json_to_recordset($5::json) AS renewal (id text, subscription_id text, purchase_id text, buyer_id text, seller_id text,
      agent_id text, amount bigint, fee bigint, status text, at timestamptz)
    ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status
    RETURNING buyer_id, agent_id
  ),
  ${forgetSpent},
  withdrawal AS (
    INSERT INTO withdrawals (id, account_id, amount, fee, network, destination_address, state, transaction_id, transaction_raw,
      transaction_expires_at, token_fee, attempts, failure, screening_source, screening_reference, screening_approved, created_at,
      completed_at)
    SELECT id, account_id, amount, fee, network, destination_address, state, transaction_id, transaction_raw,
      transaction_expires_at, token_fee, attempts, failure, screening_source, screening_reference, screening_approved, created_at,
      completed_at
    FROM json_to_recordset($6::json) AS withdrawal (id text, account_id text, amount bigint, fee bigint, network text,
      destination_address text, state text, transaction_id text, transaction_raw text, transaction_expires_at timestamptz,
      token_fee bigint, attempts int, failure text, screening_source text, screening_reference text, screening_approved boolean, created_at timestamptz, completed_at timestamptz)
    ON CONFLICT (id) DO UPDATE SET state = EXCLUDED.state, transaction_id = EXCLUDED.transaction_id,
      transaction_raw = EXCLUDED.transaction_raw, transaction_expires_at = EXCLUDED.transaction_expires_at,
      token_fee = EXCLUDED.token_fee, attempts = EXCLUDED.attempts, failure = EXCLUDED.failure,
      screening_source = EXCLUDED.screening_source, screening_reference = EXCLUDED.screening_reference,
      screening_approved = EXCLUDED.screening_approved, completed_at = EXCLUDED.completed_at
  ),
  deposit AS (
    INSERT INTO deposits (network, txid, log_index, account_id, address, amount, block, at)
    SELECT network, txid, log_index, account_id, address, amount, block, at
    FROM json_to_recordset($7::json) AS deposit (network text, txid text, log_index int, account_id text, address text,
      amount bigint, block bigint, at timestamptz)
  ),
  changed_escrow AS (
    UPDATE escrow SET amount = changed.amount
    FROM json_to_recordset($9::json) AS changed (account_id text, reference text, amount bigint)
    WHERE escrow.account_id = changed.account_id AND escrow.reference = changed.reference AND changed.amount > 0
  ),
  held_deposit AS (
    INSERT INTO held_deposits (id, account_id, network, txid, log_index, address, sender, amount, block, at, state, evidence_source,
      evidence_reference, held_at, decided_at)
    SELECT id, account_id, network, txid, log_index, address, sender, amount, block, at, state, evidence_source,
      evidence_reference, held_at, decided_at
    FROM json_to_recordset($10::json) AS held (id text, account_id text, network text, txid text, log_index int, address text,
      sender text, amount bigint, block bigint, at timestamptz, state text, evidence_source text, evidence_reference text,
      held_at timestamptz, decided_at timestamptz)
    ON CONFLICT (id) DO UPDATE SET state = EXCLUDED.state, evidence_source = EXCLUDED.evidence_source,
      evidence_reference = EXCLUDED.evidence_reference, decided_at = EXCLUDED.decided_at
  ),
  released_escrow AS (
    DELETE FROM escrow USING json_to_recordset($9::json) AS changed (account_id text, reference text, amount bigint)
    WHERE escrow.account_id = changed.account_id AND escrow.reference = changed.reference AND changed.amount = 0
  )
  INSERT INTO scan_cursors (network, block, block_id, id_block, agreed_block)
  SELECT network, block, id, block, agreed FROM json_to_recordset($8::json) AS cursor (network text, block bigint, id text, agreed bigint)
  ON CONFLICT (network) DO UPDATE
    SET block = EXCLUDED.block, block_id = EXCLUDED.block_id, id_block = EXCLUDED.id_block,
      agreed_block = greatest(scan_cursors.agreed_block, EXCLUDED.agreed_block)
    WHERE scan_cursors.block <= EXCLUDED.block`

/** Rows that many batches write, in a fixed order, last: they stay locked until the commit. */
const writeTotals = `
  WITH
  sold AS (SELECT * FROM json_to_recordset($1::json) AS sold (item_id text, by int)),
  locked AS MATERIALIZED (
    SELECT item_stats.item_id, sold.by FROM sold JOIN item_stats USING (item_id) ORDER BY item_stats.item_id FOR UPDATE OF item_stats
  ),
  stats AS (
    UPDATE item_stats SET sales = item_stats.sales + locked.by, popularity = CASE
        WHEN item_stats.sales + locked.by < ${exactPopularity}
        THEN popularity_of(item_stats.sales + locked.by, item_stats.aged_buyers, item_stats.downloads)
        ELSE item_stats.popularity END
    FROM locked WHERE item_stats.item_id = locked.item_id
  )
  INSERT INTO trade_minutes (minute, shard, trades, revenue)
  SELECT minute, pg_backend_pid() % 8, trades, revenue
  FROM json_to_recordset($2::json) AS trade (minute timestamptz, trades bigint, revenue bigint)
  ORDER BY minute
  ON CONFLICT (minute, shard)
    DO UPDATE SET trades = trade_minutes.trades + EXCLUDED.trades, revenue = trade_minutes.revenue + EXCLUDED.revenue`

/** Revocations are few, and each is worked on by one process. */
const countProgress = `
  UPDATE revocations SET refunded = revocations.refunded + added.refunded, amount = revocations.amount + added.amount,
    covered = revocations.covered + added.covered, rejected = revocations.rejected + added.rejected
  FROM json_to_recordset($1::json) AS added (id text, refunded int, amount bigint, covered bigint, rejected int)
  WHERE revocations.id = added.id`

interface Written {
  readonly wallets: bigint
  readonly results: bigint
}

const all = (sql: SqlClient, text: string, rows: ReadonlyArray<ReadonlyArray<object>>) =>
  sql.unsafe(
    text,
    rows.map((each) => JSON.stringify(each))
  )

/** Writes all rows of the batch, in a few statements of constant text. */
export const writeBatch = Effect.fnUntraced(function* (
  sql: SqlClient,
  { folded, state }: Loaded,
  writes: WriteSet
): Effect.fn.Return<void, Collision | SqlError> {
  const records = [
    releasedEntitlementRows(state, writes),
    changedPurchaseRows(state, writes),
    approvalRows(writes),
    subscriptionRows(writes),
    renewalRows(writes),
    withdrawalRows(writes),
    depositRows(writes),
    cursorRows(writes),
    changedEscrowRows(state, writes),
    heldDepositRows(writes)
  ]
  if (records.some((rows) => rows.length > 0)) yield* all(sql, writeRecords, records)

  yield* writeStandings(sql, writes)
  const wallets = walletRows(folded, writes)
  const [written] = yield* sql.unsafe<Written>(writeSale, [
    ...walletSet.parameters(wallets),
    ...walletSet.parameters(creditRows(writes)),
    ...lineSet.parameters(ledgerRows(writes)),
    ...purchaseSet.parameters(newPurchaseRows(state, writes)),
    ...entitlementSet.parameters(entitlementRows(writes)),
    ...escrowSet.parameters(newEscrowRows(state, writes)),
    ...eventSet.parameters(eventRows(writes)),
    ...idempotentResultSet.parameters(idempotentResultRows(writes)),
    date(state.now)
  ])
  const whole =
    written !== undefined &&
    Number(written.wallets) === wallets.length &&
    Number(written.results) === writes.results.size
  if (!whole) return yield* new Collision({ cause: written })

  const refunds = refundRows(state, writes)
  if (refunds.length > 0) yield* sql.unsafe(shareCursor)
  const totals = [soldRows(writes), tradeRows(state, writes)]
  if (totals.some((rows) => rows.length > 0)) yield* all(sql, writeTotals, totals)
  if (writes.revocations.size > 0) yield* all(sql, countProgress, [revocationRows(writes)])
  if (refunds.length > 0) yield* all(sql, discountRefunds, [refunds])
})
