/** The service's own wallets, withdrawals whose payment is refused, and payments that no withdrawal explains. */
export const treasury: ReadonlyArray<string> = [
  `CREATE TABLE treasury (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    -- The contract of the token that the books count, the wallet that pays withdrawals, and the wallet for the rest; null: not known yet.
    token text,
    hot text,
    cold text CHECK (cold <> hot),
    hot_ceiling bigint CHECK (hot_ceiling > 0),
    top_up_below bigint CHECK (top_up_below > 0)
  )`,
  `INSERT INTO treasury DEFAULT VALUES`,
  // Constant defaults, so that the rows need not be written.
  `ALTER TABLE withdrawals ADD COLUMN payout_refusals int NOT NULL DEFAULT 0, ADD COLUMN payout_refusal text,
    ADD COLUMN payout_after timestamptz, ADD COLUMN token_fee bigint CHECK (token_fee >= 0)`,
  `CREATE TABLE outgoing_transfers (
    network text NOT NULL,
    txid text NOT NULL,
    log_index int NOT NULL,
    recipient text NOT NULL,
    amount bigint NOT NULL,
    block bigint NOT NULL,
    at timestamptz NOT NULL,
    found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Null until the operator has matched it with a withdrawal, or explained it.
    resolved_at timestamptz,
    withdrawal_id text,
    explanation text,
    PRIMARY KEY (network, txid, log_index)
  )`,
  `CREATE INDEX outgoing_transfers_unresolved ON outgoing_transfers (block, txid, log_index) WHERE resolved_at IS NULL`
]
