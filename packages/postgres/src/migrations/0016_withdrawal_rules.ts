/** Rules and address books of owners, withdrawals that wait for the operator, and the pause of all payouts. */
export const withdrawalRules: ReadonlyArray<string> = [
  // A superset of what the check allowed before, so that the rows need not be read.
  `ALTER TABLE withdrawals DROP CONSTRAINT withdrawals_state_check, ADD CONSTRAINT withdrawals_state_check
    CHECK (state IN ('in_review', 'queued', 'broadcasting', 'completed', 'failed', 'cancelled')) NOT VALID`,
  `CREATE INDEX withdrawals_open_of ON withdrawals (account_id) WHERE state IN ('in_review', 'queued', 'broadcasting')`,
  `CREATE INDEX withdrawals_newest ON withdrawals (created_at DESC, seq DESC)`,
  `CREATE TABLE withdrawal_policies (
    account_id text PRIMARY KEY,
    policy jsonb NOT NULL
  )`,
  `CREATE TABLE withdrawal_addresses (
    id text PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    account_id text NOT NULL,
    address text NOT NULL,
    label text,
    created_at timestamptz NOT NULL,
    CONSTRAINT withdrawal_addresses_once UNIQUE (account_id, address)
  )`,
  `CREATE TABLE payouts (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    -- Null: payouts go on.
    paused_at timestamptz,
    reason text
  )`,
  `INSERT INTO payouts DEFAULT VALUES`
]
