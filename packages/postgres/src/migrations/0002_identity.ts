/** Accounts, agents and their keys. */
export const identity: ReadonlyArray<string> = [
  `CREATE TABLE accounts (
    id text PRIMARY KEY,
    name text NOT NULL,
    email text,
    seller boolean NOT NULL,
    tier text NOT NULL CHECK (tier IN ('free', 'pro', 'enterprise')),
    hourly_limit int CHECK (hourly_limit >= 0),
    created_at timestamptz NOT NULL
  )`,
  `CREATE TABLE agents (
    id text PRIMARY KEY,
    name text NOT NULL,
    owner_id text CONSTRAINT agents_owner REFERENCES accounts (id),
    -- SHA-256; gone once it was used.
    claim_code_hash text CONSTRAINT agents_claim_code UNIQUE,
    created_at timestamptz NOT NULL
  )`,
  `CREATE INDEX agents_of_owner ON agents (owner_id, created_at DESC, id DESC)`,
  `CREATE TABLE api_keys (
    id text PRIMARY KEY,
    -- The owner; null while the key's agent is unclaimed.
    account_id text CONSTRAINT api_keys_account REFERENCES accounts (id),
    agent_id text CONSTRAINT api_keys_agent REFERENCES agents (id),
    name text NOT NULL,
    scope text NOT NULL CHECK (scope IN ('READ', 'BUYER', 'SELLER', 'FULL')),
    prefix text NOT NULL,
    -- SHA-256 of the token, which is kept nowhere.
    hash text NOT NULL CONSTRAINT api_keys_hash UNIQUE,
    status text NOT NULL CHECK (status IN ('active', 'deactivated')),
    expires_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX api_keys_of_account ON api_keys (account_id, created_at DESC, id DESC)`,
  `CREATE INDEX api_keys_of_agent ON api_keys (agent_id) WHERE agent_id IS NOT NULL`,
  `CREATE INDEX api_keys_last_used ON api_keys (last_used_at) INCLUDE (account_id, agent_id) WHERE last_used_at IS NOT NULL`
]
