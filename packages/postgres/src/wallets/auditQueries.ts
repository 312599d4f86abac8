import { undecidedDeposits } from "./walletQueries.ts"
import { balanceColumnNames } from "./WalletRow.ts"

const names = balanceColumnNames.join(", ")
const sums = balanceColumnNames.map((name) => `sum(${name}) AS ${name}`).join(", ")

/** How each line that `condition` selects changes the balances of its wallets, by the rules of core's `post`. */
const postings = (condition: string) => `
    SELECT debit_account AS account_id,
      CASE debit WHEN 'wallet' THEN -amount ELSE 0 END AS available,
      CASE debit WHEN 'locked' THEN -amount ELSE 0 END AS locked,
      0 AS total_deposits,
      CASE WHEN type IN ('withdrawal', 'withdrawal_fee') THEN amount ELSE 0 END AS total_withdrawals,
      CASE type WHEN 'purchase' THEN amount ELSE 0 END AS total_spent,
      CASE WHEN type IN ('sale_fee', 'refund') THEN -amount ELSE 0 END AS total_earned,
      CASE type WHEN 'repayment' THEN -amount ELSE 0 END AS debt
    FROM ledger_lines WHERE debit_account IS NOT NULL AND ${condition}
    UNION ALL
    SELECT credit_account,
      CASE credit WHEN 'wallet' THEN amount ELSE 0 END,
      CASE credit WHEN 'locked' THEN amount ELSE 0 END,
      CASE type WHEN 'deposit' THEN amount ELSE 0 END,
      0,
      CASE type WHEN 'refund' THEN -amount ELSE 0 END,
      CASE WHEN type IN ('purchase', 'fee_return', 'cover') THEN amount ELSE 0 END,
      CASE type WHEN 'debt' THEN amount ELSE 0 END
    FROM ledger_lines WHERE credit_account IS NOT NULL AND ${condition}`

/** The platform's accounts, as totals of lines. */
const platformSums = `
  coalesce(sum(CASE WHEN type IN ('sale_fee', 'withdrawal_fee', 'repayment') THEN amount
    WHEN type IN ('fee_return', 'cover', 'debt') THEN -amount END), 0)::bigint AS platform,
  coalesce(sum(CASE WHEN credit = 'held' THEN amount WHEN debit = 'held' THEN -amount END), 0)::bigint AS held,
  coalesce(sum(CASE WHEN credit = 'unattributed' THEN amount WHEN debit = 'unattributed' THEN -amount END), 0)::bigint
    AS unattributed`

/** A sum of hashes, so that it can be computed in any order. */
const digest = `sum(('x' || substr(md5(concat_ws('|', seq, type, debit, debit_account, credit, credit_account, amount, reference,
    extract(epoch FROM at))), 1, 15))::bit(60)::bigint)`

const stored = `
  SELECT account_id, ${sums} FROM (
    SELECT account_id, ${names} FROM wallets
    UNION ALL SELECT account_id, ${names} FROM wallet_credits
  ) AS part GROUP BY account_id`

/** The sums up to the checkpoint `$1`, and the lines after it; 0 reads every line. */
const recomputed = `
  SELECT account_id, ${sums} FROM (
    SELECT account_id, ${names} FROM audited_wallets WHERE $1::bigint > 0
    UNION ALL ${postings("seq > $1::bigint")}
  ) AS posting GROUP BY account_id`

const lines = `
  SELECT read, read + coalesce(base.entries, 0) AS entries, new.platform + coalesce(base.platform, 0) AS platform,
    new.held + coalesce(base.held, 0) AS held, new.unattributed + coalesce(base.unattributed, 0) AS unattributed
  FROM (SELECT count(*) AS read, ${platformSums} FROM ledger_lines WHERE seq > $1::bigint) AS new
    LEFT JOIN ledger_checkpoints AS base ON base.position = $1::bigint`

/** One row of totals, and one more for each balance that differs from the sum of its lines. Continues from the checkpoint `$1`. */
export const auditLedger = `
  WITH lines AS (${lines}), difference AS (
    SELECT coalesce(stored.account_id, recomputed.account_id) AS account_id, field.*
    FROM (${stored}) AS stored FULL JOIN (${recomputed}) AS recomputed USING (account_id),
      LATERAL (VALUES ${balanceColumnNames
        .map((name) => `('${name}', coalesce(stored.${name}, 0)::text, coalesce(recomputed.${name}, 0)::text)`)
        .join(", ")}) AS field (name, stored, recomputed)
    WHERE field.stored <> field.recomputed
    UNION ALL
    SELECT stored.account_id, 'escrow', locked.amount::text, 'at most ' || stored.locked
    FROM (${stored}) AS stored JOIN (
      SELECT account_id, sum(amount) AS amount FROM escrow GROUP BY account_id
    ) AS locked USING (account_id) WHERE locked.amount > stored.locked
    UNION ALL
    SELECT recorded.account, 'balance', recorded.amount::text, recorded.lines::text FROM (
      SELECT 'held' AS account, (SELECT held FROM lines) AS lines, coalesce(sum(amount), 0) AS amount
      FROM held_deposits WHERE ${undecidedDeposits}
      UNION ALL SELECT 'unattributed', (SELECT unattributed FROM lines), coalesce(sum(amount), 0)
      FROM held_deposits WHERE state = 'rejected'
    ) AS recorded WHERE recorded.amount <> recorded.lines
    UNION ALL
    SELECT DISTINCT account_id, 'wallet', 'missing', 'it has credits' FROM wallet_credits
    WHERE NOT EXISTS (SELECT FROM wallets WHERE wallets.account_id = wallet_credits.account_id)
  )
  SELECT (SELECT count(*) FROM wallets) AS wallets, lines.read, lines.entries, lines.platform, difference.*
  FROM lines LEFT JOIN difference ON true ORDER BY account_id, name LIMIT 1000`

/** The checkpoints whose lines are no longer those that were audited. */
export const changedCheckpoints = `
  SELECT checkpoint.at, checkpoint.position, checkpoint.entries AS audited, coalesce(found.entries, 0) AS found FROM (
    SELECT position, at, digest, entries - coalesce(lag(entries) OVER (ORDER BY position), 0) AS entries,
      row_number() OVER (ORDER BY position) - 1 AS number
    FROM ledger_checkpoints
  ) AS checkpoint LEFT JOIN (
    SELECT width_bucket(seq - 1, (SELECT array_agg(position ORDER BY position) FROM ledger_checkpoints)) AS number,
      count(*) AS entries, ${digest} AS digest
    FROM ledger_lines WHERE seq <= (SELECT max(position) FROM ledger_checkpoints) GROUP BY 1
  ) AS found USING (number)
  WHERE (found.entries = checkpoint.entries AND found.digest = checkpoint.digest) IS NOT TRUE
  ORDER BY position LIMIT 1000`

export const lastCheckpoint = `SELECT position, at FROM ledger_checkpoints ORDER BY position DESC LIMIT 1`

/** Moves the checkpoint from `$1` to `$2` at the time `$3`, and returns the number of lines between; no row without lines. */
export const addCheckpoint = `
  WITH new AS (
    SELECT count(*) AS read, ${digest} AS digest, ${platformSums} FROM ledger_lines
    WHERE seq > $1::bigint AND seq <= $2::bigint
  ), added AS (
    INSERT INTO ledger_checkpoints (position, entries, platform, held, unattributed, digest, at)
    SELECT $2::bigint, new.read + coalesce(base.entries, 0), new.platform + coalesce(base.platform, 0),
      new.held + coalesce(base.held, 0), new.unattributed + coalesce(base.unattributed, 0), new.digest, $3::timestamptz
    FROM new LEFT JOIN ledger_checkpoints AS base ON base.position = $1::bigint WHERE new.read > 0
    RETURNING 1
  )
  SELECT new.read FROM new, added`

/** Adds the same lines to the sums of their wallets. */
export const addToAuditedWallets = `
  INSERT INTO audited_wallets AS audited (account_id, ${names})
  SELECT account_id, ${sums} FROM (${postings("seq > $1::bigint AND seq <= $2::bigint")}) AS posting GROUP BY account_id
  ON CONFLICT (account_id) DO UPDATE SET ${balanceColumnNames.map((name) => `${name} = audited.${name} + EXCLUDED.${name}`).join(", ")}`
