/** Sessions of people in a browser, links that start them, and failed attempts to sign in. */
export const sessions: ReadonlyArray<string> = [
  `ALTER TABLE accounts ADD COLUMN operator boolean NOT NULL DEFAULT false`,
  `CREATE TABLE sessions (
    id text PRIMARY KEY,
    -- SHA-256 of the secret, which is kept nowhere.
    hash text NOT NULL CONSTRAINT sessions_hash UNIQUE,
    -- Null for a session of the operator's token.
    account_id text CONSTRAINT sessions_account REFERENCES accounts (id),
    key_id text CONSTRAINT sessions_key REFERENCES api_keys (id),
    method text NOT NULL CHECK (method IN ('key', 'link', 'admin_token', 'passkey')),
    token_hash text,
    user_agent text,
    elevated_until timestamptz,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX sessions_of_account ON sessions (account_id, created_at DESC, id DESC)`,
  `CREATE TABLE sign_in_links (
    hash text PRIMARY KEY,
    account_id text NOT NULL CONSTRAINT sign_in_links_account REFERENCES accounts (id),
    -- The key or session that created the link.
    made_by text NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  `CREATE INDEX sign_in_links_of_account ON sign_in_links (account_id)`,
  `CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at)`,
  `CREATE TABLE sign_in_attempts (
    -- A digest of the client address.
    address text PRIMARY KEY,
    count int NOT NULL CHECK (count >= 0),
    reset_at timestamptz NOT NULL
  )`,
  `CREATE INDEX sign_in_attempts_expiry ON sign_in_attempts (reset_at)`
]
