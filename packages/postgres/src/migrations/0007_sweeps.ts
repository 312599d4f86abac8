/** Operators' sweeps, past and current. An address has at most one open transaction at a time. */
export const sweeps: ReadonlyArray<string> = [
  `CREATE TABLE sweeps (
    transaction_id text PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL CHECK (kind IN ('sweep', 'funding')),
    address text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    transaction_raw text NOT NULL,
    transaction_expires_at timestamptz NOT NULL,
    ended text CHECK (ended IN ('done', 'failed', 'dead')),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz
  )`,
  `CREATE UNIQUE INDEX sweeps_open ON sweeps (address) WHERE ended IS NULL`
]
