/** Deposits that are recorded without being credited, and what screening found about withdrawals. */
export const screening: ReadonlyArray<string> = [
  // Both checks allow everything that they allowed before, so the existing lines need no check.
  `ALTER TABLE ledger_lines DROP CONSTRAINT ledger_lines_type_check, ADD CONSTRAINT ledger_lines_type_check
    CHECK (type IN ('deposit', 'deposit_held', 'deposit_rejected', 'hold', 'release', 'purchase', 'sale_fee', 'refund', 'fee_return',
      'cover', 'debt', 'repayment', 'withdrawal', 'withdrawal_fee')) NOT VALID`,
  `ALTER TABLE ledger_lines DROP CONSTRAINT ledger_lines_debit_check, ADD CONSTRAINT ledger_lines_debit_check
    CHECK (debit IN ('wallet', 'locked', 'platform', 'chain', 'held', 'unattributed')) NOT VALID`,
  `ALTER TABLE ledger_lines DROP CONSTRAINT ledger_lines_credit_check, ADD CONSTRAINT ledger_lines_credit_check
    CHECK (credit IN ('wallet', 'locked', 'platform', 'chain', 'held', 'unattributed')) NOT VALID`,
  `CREATE TABLE held_deposits (
    id text PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    account_id text NOT NULL,
    network text NOT NULL,
    txid text NOT NULL,
    log_index int NOT NULL,
    address text NOT NULL,
    sender text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    block bigint NOT NULL,
    at timestamptz NOT NULL,
    state text NOT NULL CHECK (state IN ('screening', 'held', 'cleared', 'released', 'rejected')),
    -- Why it is flagged; null if it was never flagged.
    evidence_source text,
    evidence_reference text CHECK ((evidence_reference IS NULL) = (evidence_source IS NULL)),
    held_at timestamptz NOT NULL,
    decided_at timestamptz CHECK ((decided_at IS NULL) = (state IN ('screening', 'held'))),
    -- How often screening failed to decide, until when it waits for the next attempt, and why it failed.
    failures int NOT NULL DEFAULT 0,
    screen_after timestamptz,
    failure text,
    UNIQUE (network, txid, log_index)
  )`,
  `CREATE INDEX held_deposits_newest ON held_deposits (held_at DESC, seq DESC)`,
  `CREATE INDEX held_deposits_undecided ON held_deposits (account_id, state) WHERE state IN ('screening', 'held')`,
  // Constant defaults, so that the rows need not be written.
  `ALTER TABLE withdrawals ADD COLUMN screening_source text, ADD COLUMN screening_reference text,
    ADD COLUMN screening_approved boolean, ADD COLUMN screen_after timestamptz, ADD COLUMN screening_failure text`,
  `CREATE INDEX withdrawals_unscreened ON withdrawals (id) WHERE state = 'queued' AND screening_failure IS NOT NULL`
]
