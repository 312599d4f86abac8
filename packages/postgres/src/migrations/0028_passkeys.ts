/** Passkeys of accounts, and the challenges that they sign. */
export const passkeys: ReadonlyArray<string> = [
  `CREATE TABLE passkeys (
    id text PRIMARY KEY,
    account_id text NOT NULL CONSTRAINT passkeys_account REFERENCES accounts (id),
    name text NOT NULL,
    credential_id text NOT NULL CONSTRAINT passkeys_credential UNIQUE,
    public_key text NOT NULL,
    counter bigint NOT NULL CHECK (counter >= 0),
    -- Separated by spaces.
    transports text NOT NULL,
    backed_up boolean NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
  )`,
  `CREATE INDEX passkeys_of_account ON passkeys (account_id, created_at DESC, id DESC)`,
  `CREATE TABLE passkey_challenges (
    challenge text PRIMARY KEY,
    purpose text NOT NULL CHECK (purpose IN ('register', 'sign_in', 'step_up')),
    session_id text,
    expires_at timestamptz NOT NULL
  )`,
  `CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at)`
]
