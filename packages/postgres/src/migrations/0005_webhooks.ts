/**
 * Subscriptions, their deliveries, and the queue of what has to be sent. There are no foreign keys: a transaction that adds a row holds a
 * lock on its parent, and a check for each row would cost as much as the row.
 */
export const webhooks: ReadonlyArray<string> = [
  `CREATE FUNCTION last_event() RETURNS bigint LANGUAGE sql VOLATILE
    RETURN (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM events_seq_seq)`,
  `CREATE TABLE webhooks (
    id text PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    account_id text NOT NULL,
    url text NOT NULL,
    host text NOT NULL,
    events text[] NOT NULL CHECK (cardinality(events) > 0),
    status text NOT NULL CHECK (status IN ('active', 'disabled')),
    -- Sealed: this database alone opens none.
    secret text NOT NULL,
    previous_secret text,
    previous_until timestamptz CHECK ((previous_secret IS NULL) = (previous_until IS NULL)),
    failures int NOT NULL DEFAULT 0,
    failing_since timestamptz,
    paused_until timestamptz,
    created_at timestamptz NOT NULL,
    -- The newest event of the log when it was made: it gets what is appended after.
    after_event bigint NOT NULL DEFAULT last_event()
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX webhooks_account ON webhooks (account_id, created_at, seq)`,
  `CREATE TABLE webhook_cursor (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    seq bigint NOT NULL
  )`,
  `INSERT INTO webhook_cursor (seq) VALUES (event_horizon())`,
  `CREATE TABLE webhook_deliveries (
    id text PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    webhook_id text NOT NULL,
    event text NOT NULL,
    event_at timestamptz NOT NULL,
    payload text NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    tries int NOT NULL CHECK (tries >= 0)
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, event_at, seq)`,
  `CREATE INDEX webhook_deliveries_age ON webhook_deliveries (event_at)`,
  `CREATE TABLE webhook_attempts (
    delivery_id text NOT NULL,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL,
    status_code int,
    duration_ms int NOT NULL,
    error text,
    response_body text,
    PRIMARY KEY (delivery_id, seq)
  )`,
  `CREATE TABLE webhook_queue (
    delivery_id text PRIMARY KEY,
    webhook_id text NOT NULL,
    next_attempt_at timestamptz,
    claim text,
    -- In real time, not the market's.
    claimed_until timestamptz CHECK ((claim IS NULL) = (claimed_until IS NULL)),
    CHECK (next_attempt_at IS NOT NULL OR claim IS NOT NULL)
  ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0)`,
  `CREATE INDEX webhook_queue_due ON webhook_queue (webhook_id, next_attempt_at, delivery_id)
    WHERE next_attempt_at IS NOT NULL`,
  `CREATE INDEX webhook_queue_held ON webhook_queue (webhook_id) WHERE claim IS NOT NULL`
]
