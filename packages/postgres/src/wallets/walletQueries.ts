import { balanceColumnNames } from "./WalletRow.ts"

/** Columns of a wallet, including the credits that are not yet in its row. */
const withCredits = balanceColumnNames.map(
  (name) => `(wallets.${name} + coalesce(credit.${name}, 0))::bigint AS ${name}`
)

const credits = (account: string) => `LATERAL (
    SELECT ${balanceColumnNames.map((name) => `sum(${name})::bigint AS ${name}`).join(", ")}
    FROM wallet_credits WHERE account_id = ${account}
  ) AS credit ON true`

/** The condition of the index `held_deposits_undecided`; the same states as `isUndecided`. */
export const undecidedDeposits = "state IN ('screening', 'held')"

/** A pending deposit that was recorded meanwhile counts only while it is held, whatever the last scan found. */
export const findWallet = `
  SELECT address, ${withCredits.join(", ")}, (
    SELECT coalesce(sum(amount), 0)::bigint FROM pending_deposits AS pending WHERE account_id = $1::text
      AND NOT EXISTS (SELECT FROM deposits WHERE deposits.network = pending.network
        AND deposits.txid = pending.txid AND deposits.log_index = pending.log_index)
  ) + (
    SELECT coalesce(sum(amount), 0)::bigint FROM held_deposits WHERE account_id = $1::text AND ${undecidedDeposits}
  ) AS pending, (
    SELECT json_agg(json_build_object('amount', day.amount, 'released_at', day.released_at) ORDER BY day.released_at) FROM (
      SELECT sum(amount)::text AS amount, max(released_at) AS released_at FROM escrow WHERE account_id = $1::text
      GROUP BY date_trunc('day', released_at AT TIME ZONE 'UTC')
    ) AS day
  ) AS escrow
  FROM wallets LEFT JOIN ${credits("wallets.account_id")}
  WHERE wallets.account_id = $1::text`

const side = (name: "debit" | "credit", sign: "" | "-", bound: string) => `(
    SELECT seq, type, '${name}' AS side, ${sign}amount AS amount, reference, at
    FROM ledger_lines WHERE ${name} = 'wallet' AND ${name}_account = $1::text ${bound})`

const transactions = (bound: string) => `
  SELECT newest.*, coalesce(purchases.agent_id, renewals.agent_id) AS agent_id, (balance.available + newest.amount - sum(newest.amount) OVER (ORDER BY newest.seq DESC ROWS UNBOUNDED PRECEDING))::bigint AS balance_after
  FROM (
    SELECT wallets.available + coalesce(credit.available, 0) AS available
    FROM wallets LEFT JOIN ${credits("wallets.account_id")}
    WHERE wallets.account_id = $1::text
  ) AS balance, (
    ${side("debit", "-", bound)} UNION ALL ${side("credit", "", bound)} ORDER BY seq DESC ${bound === "" ? "" : "LIMIT $2::int"}
  ) AS newest
  LEFT JOIN purchases ON purchases.id = newest.reference AND purchases.buyer_id = $1::text
  LEFT JOIN renewals ON renewals.id = newest.reference AND renewals.buyer_id = $1::text
  ORDER BY newest.seq DESC`

/**
 * The balance after a line is the present balance minus everything newer than the line. So only the newest lines are read, `$2` of
 * them, of which the first `$3` are skipped.
 */
export const pageOfTransactions = `
  SELECT total.total, page.* FROM (
    SELECT (SELECT count(*) FROM ledger_lines WHERE debit = 'wallet' AND debit_account = $1::text)
      + (SELECT count(*) FROM ledger_lines WHERE credit = 'wallet' AND credit_account = $1::text) AS total
  ) AS total LEFT JOIN (${transactions("ORDER BY seq DESC LIMIT $2::int")} OFFSET $3::int) AS page ON true
  ORDER BY seq DESC`

export const allTransactions = transactions("")

/** Completed withdrawals are counted from `$1` on. */
export const payoutLoad = `
  SELECT count(*) AS queued, coalesce(sum(amount), 0)::bigint AS needed,
    (SELECT count(*) FROM withdrawals WHERE completed_at >= $1::timestamptz) AS completed
  FROM withdrawals WHERE state = 'queued'`

export const ledgerTotals = `
  SELECT (SELECT coalesce(sum(available + locked), 0)::bigint FROM (
      SELECT available, locked FROM wallets UNION ALL SELECT available, locked FROM wallet_credits
    ) AS part) AS wallets,
    coalesce(sum(CASE WHEN type IN ('sale_fee', 'withdrawal_fee', 'repayment') THEN amount
      WHEN type IN ('fee_return', 'cover', 'debt') THEN -amount END), 0)::bigint
      AS platform,
    coalesce(sum(amount) FILTER (WHERE debit = 'chain' AND type IN ('deposit', 'deposit_held')), 0)::bigint AS deposits,
    coalesce(sum(CASE WHEN credit = 'held' THEN amount WHEN debit = 'held' THEN -amount END), 0)::bigint AS held,
    coalesce(sum(CASE WHEN credit = 'unattributed' THEN amount WHEN debit = 'unattributed' THEN -amount END), 0)::bigint
      AS unattributed,
    coalesce(sum(amount) FILTER (WHERE type = 'withdrawal'), 0)::bigint AS withdrawals
  FROM ledger_lines`

export const issuedAddresses = `
  SELECT address_index, address, account_id, coalesce(credited.amount, 0) AS credited
  FROM wallets LEFT JOIN (
    SELECT address, sum(amount)::bigint AS amount FROM deposits WHERE network = $1::text GROUP BY address
  ) AS credited USING (address)
  WHERE address IS NOT NULL ORDER BY address_index`

/** Every account in debt. */
export const debts = `SELECT account_id, debt FROM wallets WHERE debt > 0 ORDER BY account_id`

export const dueEscrow = `
  SELECT account_id, reference, amount, released_at FROM escrow WHERE released_at <= $1::timestamptz
  ORDER BY released_at LIMIT $2::int`

/** Literal states, so that the partial index of open withdrawals is used. An account has few open withdrawals, so its turns are few. */
export const payable = `
  SELECT turn.* FROM (
    SELECT queued.*, coalesce(queued.payout_after, queued.created_at) AS due, coalesce(sent.open, 0) + row_number() OVER (
        PARTITION BY queued.account_id ORDER BY coalesce(queued.payout_after, queued.created_at), queued.seq
      ) AS turn
    FROM withdrawals AS queued LEFT JOIN (
      SELECT account_id, count(*) AS open FROM withdrawals WHERE state = 'broadcasting' GROUP BY account_id
    ) AS sent ON sent.account_id = queued.account_id
    WHERE queued.state = 'queued' AND (queued.payout_after IS NULL OR queued.payout_after <= $1::timestamptz)
      AND (queued.screen_after IS NULL OR queued.screen_after <= $1::timestamptz)
      AND NOT EXISTS (SELECT FROM accounts WHERE accounts.id = queued.account_id AND accounts.frozen_at IS NOT NULL)
  ) AS turn ORDER BY turn.turn, turn.due, turn.seq LIMIT $2::int`
