/** Money that reached deposit addresses as another asset than the market's token, and its return by transactions beside the sweeps. */
export const foreignAssets: ReadonlyArray<string> = [
  `CREATE TABLE foreign_assets (
    id text PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    network text NOT NULL,
    txid text NOT NULL,
    log_index int NOT NULL,
    kind text NOT NULL CHECK (kind IN ('trx', 'trc10', 'trc20')),
    -- The contract or number of the token; what it names itself is the text of a stranger.
    asset text NOT NULL,
    unverified_symbol text CHECK (length(unverified_symbol) <= 24),
    account_id text NOT NULL,
    address text NOT NULL,
    sender text NOT NULL,
    -- In the smallest unit: up to 2^256 - 1.
    amount numeric(78, 0) NOT NULL CHECK (amount > 0),
    block bigint NOT NULL,
    at timestamptz NOT NULL,
    state text NOT NULL DEFAULT 'received' CHECK (state IN ('received', 'returning', 'returned', 'failed')),
    destination text CHECK (destination IS NOT NULL OR state = 'received'),
    transaction_id text,
    transaction_amount numeric(78, 0) CHECK (transaction_amount > 0 AND transaction_amount <= amount),
    failure text,
    UNIQUE (network, txid, log_index)
  )`,
  `CREATE INDEX foreign_assets_state ON foreign_assets (state, seq)`,
  `CREATE INDEX foreign_assets_received ON foreign_assets (address) WHERE state = 'received'`,
  // One row for each day: the limits of what the scan records, and what they left out.
  `CREATE TABLE foreign_asset_days (
    day date PRIMARY KEY,
    recorded int NOT NULL DEFAULT 0,
    left_out bigint NOT NULL DEFAULT 0
  )`,
  `ALTER TABLE sweeps
    ALTER COLUMN amount TYPE numeric(78, 0),
    ADD COLUMN foreign_asset text REFERENCES foreign_assets (id),
    ADD COLUMN destination text,
    DROP CONSTRAINT sweeps_kind_check,
    ADD CONSTRAINT sweeps_kind_check CHECK (kind IN ('sweep', 'funding', 'return')),
    ADD CONSTRAINT sweeps_return_check CHECK ((kind = 'return') = (foreign_asset IS NOT NULL AND destination IS NOT NULL))`,
  `CREATE INDEX sweeps_foreign_asset ON sweeps (foreign_asset) WHERE foreign_asset IS NOT NULL`
]
