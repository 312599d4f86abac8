/** Advisories and their drafts, revocations with their progress, and the audience that an advisory has. */
export const advisories: ReadonlyArray<string> = [
  `ALTER TABLE events DROP CONSTRAINT events_audience_check, ADD CONSTRAINT events_audience_check
    CHECK (audience IN ('everyone', 'users', 'holders')) NOT VALID`,
  `CREATE TABLE advisory_drafts (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    item_id text NOT NULL,
    creator_id text NOT NULL,
    versions text[] NOT NULL,
    sha256 text[] NOT NULL,
    severity text NOT NULL CHECK (severity IN ('info', 'high', 'critical')),
    reason text NOT NULL,
    action text NOT NULL CHECK (action IN ('note', 'remove'))
  )`,
  `CREATE TABLE advisories (
    position bigint PRIMARY KEY CHECK (position > 0),
    item_id text NOT NULL,
    versions text[] NOT NULL,
    sha256 text[] NOT NULL,
    severity text NOT NULL CHECK (severity IN ('info', 'high', 'critical')),
    reason text NOT NULL,
    action text NOT NULL CHECK (action IN ('note', 'remove')),
    published_at timestamptz NOT NULL,
    -- The digest of the payload before this one: no two advisories follow the same one.
    previous text UNIQUE CHECK ((previous IS NULL) = (position = 1)),
    envelope json NOT NULL
  )`,
  `CREATE TABLE revocations (
    id text PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    item_id text NOT NULL,
    seller_id text NOT NULL,
    versions text[] NOT NULL,
    reason text NOT NULL,
    operator_name text NOT NULL,
    operator_request_id text NOT NULL,
    at timestamptz NOT NULL,
    refund_days int CHECK (refund_days BETWEEN 1 AND 180),
    rejects_waiting boolean NOT NULL,
    until timestamptz CHECK (until IS NOT NULL OR step = 'start'),
    step text NOT NULL CHECK (step IN ('start', 'approvals', 'purchases', 'renewals', 'done')),
    position text,
    refunded int NOT NULL CHECK (refunded >= 0),
    amount bigint NOT NULL CHECK (amount >= 0),
    covered bigint NOT NULL CHECK (covered BETWEEN 0 AND amount),
    rejected int NOT NULL CHECK (rejected >= 0),
    finished_at timestamptz CHECK ((finished_at IS NULL) = (step <> 'done'))
  )`,
  `CREATE INDEX revocations_newest ON revocations (seq DESC)`,
  `CREATE INDEX revocations_item ON revocations (item_id, seq DESC)`,
  `CREATE INDEX revocations_running ON revocations (seq) WHERE step <> 'done'`,
  `CREATE INDEX approvals_item ON approvals (item_id, id) WHERE status = 'pending'`
]
