/**
 * Wallets, the ledger, sales and what surrounds them. Amounts are units of 10⁻⁶ USDT. Rows of money name accounts, agents and items
 * without foreign keys: the settlement has read them in the same transaction, and a check for each row would cost as much as the row.
 */
export const money: ReadonlyArray<string> = [
  `CREATE TABLE wallets (
    account_id text PRIMARY KEY,
    address text UNIQUE,
    address_index bigint UNIQUE,
    available bigint NOT NULL DEFAULT 0 CHECK (available >= 0),
    locked bigint NOT NULL DEFAULT 0 CHECK (locked >= 0),
    total_deposits bigint NOT NULL DEFAULT 0,
    total_withdrawals bigint NOT NULL DEFAULT 0,
    total_spent bigint NOT NULL DEFAULT 0,
    total_earned bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 70)`,
  `CREATE SEQUENCE deposit_address_index MINVALUE 0 START 0`,
  `CREATE TABLE wallet_credits (
    account_id text NOT NULL,
    available bigint NOT NULL , locked bigint NOT NULL , total_deposits bigint NOT NULL , total_withdrawals bigint NOT NULL , total_spent bigint NOT NULL , total_earned bigint NOT NULL 
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0)`,
  `CREATE INDEX wallet_credits_account ON wallet_credits (account_id)`,
  `CREATE TABLE policies (
    subject_id text PRIMARY KEY,
    policy jsonb NOT NULL,
    window_days int NOT NULL CHECK (window_days IN (0, 1, 7, 30))
  )`,
  `CREATE TABLE ledger_lines (
    seq bigint GENERATED ALWAYS AS IDENTITY,
    type text NOT NULL CHECK (type IN ('deposit', 'hold', 'release', 'purchase', 'sale_fee', 'refund', 'fee_return', 'cover',
      'withdrawal', 'withdrawal_fee')),
    debit text NOT NULL CHECK (debit IN ('wallet', 'locked', 'platform', 'chain')),
    debit_account text CHECK ((debit_account IS NOT NULL) = (debit IN ('wallet', 'locked'))),
    credit text NOT NULL CHECK (credit IN ('wallet', 'locked', 'platform', 'chain')),
    credit_account text CHECK ((credit_account IS NOT NULL) = (credit IN ('wallet', 'locked'))),
    amount bigint NOT NULL CHECK (amount > 0),
    reference text NOT NULL,
    at timestamptz NOT NULL
  )`,
  `CREATE INDEX ledger_lines_debit ON ledger_lines (debit_account, seq) 
    WITH (deduplicate_items = off) WHERE debit = 'wallet'`,
  `CREATE INDEX ledger_lines_credit ON ledger_lines (credit_account, seq) 
    WITH (deduplicate_items = off) WHERE credit = 'wallet'`,
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the ledger is append-only: corrections are new lines' USING ERRCODE = 'integrity_constraint_violation'; END $$`,
  `CREATE TRIGGER ledger_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_lines
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  `CREATE TABLE purchases (
    id text PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    buyer_id text NOT NULL,
    seller_id text NOT NULL,
    agent_id text,
    item_id text NOT NULL,
    item_kind text NOT NULL CHECK (item_kind IN ('soul', 'listing')),
    item_name text NOT NULL,
    item_slug text NOT NULL,
    item_description text NOT NULL,
    item_category text NOT NULL,
    item_creator text NOT NULL,
    amount bigint NOT NULL CHECK (amount >= 0),
    fee bigint NOT NULL CHECK (fee >= 0 AND fee <= amount),
    status text NOT NULL CHECK (status IN ('pending', 'completed', 'refunded', 'rejected', 'expired')),
    license_key text CONSTRAINT purchases_license_key UNIQUE,
    license_type text NOT NULL CHECK (license_type IN ('perpetual', 'subscription', 'free')),
    purchased_at timestamptz NOT NULL,
    expires_at timestamptz
  )`,
  `CREATE INDEX purchases_buyer ON purchases (buyer_id, purchased_at DESC, seq DESC) INCLUDE (status, amount)`,
  `CREATE INDEX purchases_agent ON purchases (agent_id, purchased_at) INCLUDE (status, amount) WHERE agent_id IS NOT NULL`,
  `CREATE INDEX purchases_seller ON purchases (seller_id, purchased_at DESC, seq DESC) INCLUDE (status)`,
  `CREATE TABLE trade_minutes (
    minute timestamptz NOT NULL,
    shard int NOT NULL,
    trades bigint NOT NULL,
    revenue bigint NOT NULL,
    PRIMARY KEY (minute, shard)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE holdings (
    buyer_id text NOT NULL,
    item_id text NOT NULL,
    purchase_id text NOT NULL,
    state text NOT NULL CHECK (state IN ('pending_approval', 'owned')),
    PRIMARY KEY (buyer_id, item_id)
  )`,
  `CREATE TABLE approvals (
    id text PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    purchase_id text NOT NULL,
    account_id text NOT NULL,
    agent_id text,
    item_id text NOT NULL,
    item_kind text NOT NULL CHECK (item_kind IN ('soul', 'listing')),
    item_name text NOT NULL,
    item_slug text NOT NULL,
    item_description text NOT NULL,
    item_category text NOT NULL,
    item_creator text NOT NULL,
    amount bigint NOT NULL CHECK (amount >= 0),
    status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'expired')),
    requested_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    decided_at timestamptz
  )`,
  `CREATE INDEX approvals_account ON approvals (account_id, requested_at DESC, seq DESC)`,
  `CREATE INDEX approvals_account_status ON approvals (account_id, status, requested_at DESC, seq DESC)`,
  `CREATE INDEX approvals_due ON approvals (expires_at) WHERE status = 'pending'`,
  `CREATE TABLE subscriptions (
    id text PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    purchase_id text NOT NULL UNIQUE,
    buyer_id text NOT NULL,
    seller_id text NOT NULL,
    agent_id text,
    item_id text NOT NULL,
    item_kind text NOT NULL CHECK (item_kind IN ('soul', 'listing')),
    item_name text NOT NULL,
    item_slug text NOT NULL,
    item_description text NOT NULL,
    item_category text NOT NULL,
    item_creator text NOT NULL,
    price bigint NOT NULL CHECK (price >= 0),
    status text NOT NULL CHECK (status IN ('active', 'past_due', 'cancelled')),
    current_period_start timestamptz NOT NULL,
    current_period_end timestamptz NOT NULL,
    cancel_at_period_end boolean NOT NULL,
    refused_since timestamptz,
    next_attempt_at timestamptz
  )`,
  `CREATE INDEX subscriptions_buyer ON subscriptions (buyer_id, seq DESC)`,
  `CREATE INDEX subscriptions_due ON subscriptions (next_attempt_at) WHERE next_attempt_at IS NOT NULL`,
  `CREATE TABLE renewals (
    id text PRIMARY KEY,
    subscription_id text NOT NULL,
    buyer_id text NOT NULL,
    agent_id text,
    amount bigint NOT NULL CHECK (amount >= 0),
    fee bigint NOT NULL CHECK (fee >= 0 AND fee <= amount),
    at timestamptz NOT NULL
  )`,
  `CREATE INDEX renewals_buyer ON renewals (buyer_id, at) INCLUDE (amount)`,
  `CREATE INDEX renewals_agent ON renewals (agent_id, at) INCLUDE (amount) WHERE agent_id IS NOT NULL`,
  `CREATE TABLE withdrawals (
    id text PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    account_id text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    fee bigint NOT NULL CHECK (fee >= 0),
    network text NOT NULL,
    destination_address text NOT NULL,
    state text NOT NULL CHECK (state IN ('queued', 'broadcasting', 'completed', 'failed', 'cancelled')),
    -- Stored before anything is sent; only these bytes are ever sent again.
    transaction_id text,
    transaction_raw text,
    transaction_expires_at timestamptz,
    attempts int NOT NULL CHECK (attempts >= 0),
    failure text,
    created_at timestamptz NOT NULL,
    completed_at timestamptz,
    CHECK (state <> 'broadcasting' OR transaction_id IS NOT NULL)
  )`,
  `CREATE INDEX withdrawals_account ON withdrawals (account_id, created_at DESC, seq DESC)`,
  `CREATE INDEX withdrawals_open ON withdrawals (state, created_at, seq) WHERE state IN ('queued', 'broadcasting')`,
  `CREATE TABLE deposits (
    network text NOT NULL,
    txid text NOT NULL,
    log_index int NOT NULL,
    account_id text NOT NULL,
    address text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    block bigint NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (network, txid, log_index)
  )`,
  `CREATE TABLE pending_deposits (
    network text NOT NULL,
    txid text NOT NULL,
    log_index int NOT NULL,
    account_id text NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (network, txid, log_index)
  )`,
  `CREATE INDEX pending_deposits_account ON pending_deposits (account_id)`,
  `CREATE TABLE scan_cursors (
    network text PRIMARY KEY,
    block bigint NOT NULL
  )`,
  `CREATE TABLE answers (
    account_id text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    answer text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (account_id, key)
  )`,
  `CREATE INDEX answers_time ON answers (at)`,
  `CREATE TABLE simulated_transfers (
    txid text NOT NULL,
    log_index int NOT NULL,
    block bigint NOT NULL,
    sender text NOT NULL,
    recipient text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    PRIMARY KEY (txid, log_index)
  )`,
  `CREATE INDEX simulated_transfers_block ON simulated_transfers (block, txid, log_index)`
]
