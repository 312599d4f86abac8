/** Applications with access by OAuth: clients, requests for access, grants and tokens. */
export const oauth: ReadonlyArray<string> = [
  `ALTER TABLE agents ADD COLUMN source text NOT NULL DEFAULT 'api' CHECK (source IN ('api', 'oauth'))`,
  `CREATE TABLE oauth_clients (
    id text PRIMARY KEY,
    -- Who registered it; null if it registered itself.
    owner_id text CONSTRAINT oauth_clients_owner REFERENCES accounts (id),
    name text NOT NULL,
    redirect_uris text[] NOT NULL,
    grant_types text[] NOT NULL,
    auth_method text NOT NULL CHECK (auth_method IN ('none', 'client_secret_basic', 'client_secret_post')),
    -- SHA-256 of the secret, which is kept nowhere.
    secret_hash text,
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL,
    CHECK ((auth_method = 'none') = (secret_hash IS NULL))
  )`,
  `CREATE INDEX oauth_clients_of_owner ON oauth_clients (owner_id, created_at DESC, id DESC) WHERE owner_id IS NOT NULL`,
  // A client may be the URL of its metadata, or deleted later: no reference to oauth_clients.
  `CREATE TABLE oauth_grants (
    id text PRIMARY KEY,
    account_id text NOT NULL CONSTRAINT oauth_grants_account REFERENCES accounts (id),
    agent_id text NOT NULL CONSTRAINT oauth_grants_agent REFERENCES agents (id),
    key_id text NOT NULL CONSTRAINT oauth_grants_key REFERENCES api_keys (id),
    client_id text NOT NULL,
    client_name text NOT NULL,
    for_client boolean NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  `CREATE INDEX oauth_grants_of_account ON oauth_grants (account_id, created_at DESC, id DESC)`,
  `CREATE INDEX oauth_grants_to_client ON oauth_grants (client_id)`,
  `CREATE UNIQUE INDEX oauth_grants_for_client ON oauth_grants (client_id) WHERE for_client`,
  `CREATE TABLE oauth_requests (
    id text PRIMARY KEY,
    client_id text NOT NULL,
    client_name text NOT NULL,
    redirect_uri text,
    state text,
    code_challenge text,
    scopes text[] NOT NULL,
    resource text NOT NULL,
    refreshable boolean NOT NULL,
    -- SHA-256 of the code that a person types, and of the device code or authorization code.
    user_code_hash text CONSTRAINT oauth_requests_user_code UNIQUE,
    code_hash text CONSTRAINT oauth_requests_code UNIQUE,
    code_expires_at timestamptz,
    decision text NOT NULL CHECK (decision IN ('pending', 'approved', 'denied')),
    grant_id text CONSTRAINT oauth_requests_grant REFERENCES oauth_grants (id),
    redeemed_at timestamptz,
    polled_at timestamptz,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CHECK ((decision = 'approved') = (grant_id IS NOT NULL))
  )`,
  `CREATE INDEX oauth_requests_expiry ON oauth_requests (expires_at)`,
  `CREATE TABLE oauth_tokens (
    -- SHA-256 of the token, which is kept nowhere.
    hash text PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('access', 'refresh')),
    grant_id text NOT NULL CONSTRAINT oauth_tokens_grant REFERENCES oauth_grants (id),
    scopes text[] NOT NULL,
    resource text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- When a refresh token was exchanged for the next one.
    used_at timestamptz
  )`,
  `CREATE INDEX oauth_tokens_of_grant ON oauth_tokens (grant_id, expires_at)`
]
