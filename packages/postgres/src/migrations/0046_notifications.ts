/** Channels on which accounts are notified, their preferences, and the notices that wait to be sent. */
export const notifications: ReadonlyArray<string> = [
  `CREATE TABLE notification_channels (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts (id),
    kind text NOT NULL CHECK (kind IN ('email', 'push', 'slack', 'telegram', 'discord')),
    label text NOT NULL,
    target text NOT NULL,
    enabled boolean NOT NULL,
    digest text NOT NULL CHECK (digest IN ('none', 'hourly', 'daily')),
    verified_at timestamptz,
    code_hash text,
    code_expires_at timestamptz,
    code_tries int NOT NULL,
    problem text,
    tries int NOT NULL,
    retry_at timestamptz,
    paced_until timestamptz NOT NULL,
    last_sent_at timestamptz,
    created_at timestamptz NOT NULL,
    after_event bigint NOT NULL DEFAULT last_event(),
    claim text,
    claimed_until timestamptz,
    CHECK ((code_hash IS NULL) = (code_expires_at IS NULL)),
    CHECK ((claim IS NULL) = (claimed_until IS NULL))
  )`,
  `CREATE INDEX notification_channels_of ON notification_channels (account_id, created_at)`,
  `CREATE TABLE notification_preferences (
    account_id text PRIMARY KEY REFERENCES accounts (id),
    preferences json NOT NULL
  )`,
  // The message is the id of its first notice, once an attempt to send it has begun.
  `CREATE TABLE notices (
    id text PRIMARY KEY,
    channel_id text NOT NULL REFERENCES notification_channels (id) ON DELETE CASCADE,
    kind text NOT NULL,
    facts json NOT NULL,
    event_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    message text
  )`,
  `CREATE INDEX notices_of_channel ON notices (channel_id, due_at)`,
  `CREATE INDEX notices_due ON notices (due_at)`,
  `CREATE TABLE notification_confirmations (account_id text NOT NULL, target_hash text NOT NULL, at timestamptz NOT NULL)`,
  `CREATE INDEX notification_confirmations_of ON notification_confirmations (account_id)`,
  `CREATE INDEX notification_confirmations_to ON notification_confirmations (target_hash)`,
  `CREATE INDEX notification_confirmations_at ON notification_confirmations (at)`,
  `CREATE TABLE notification_cursor (seq bigint NOT NULL, only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one))`,
  `INSERT INTO notification_cursor (seq) VALUES (event_horizon())`
]
