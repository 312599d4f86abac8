/** The public keys of the market's signatures, past ones too. */
export const signingKeys: ReadonlyArray<string> = [
  `CREATE TABLE signing_keys (
    key_id text PRIMARY KEY,
    public_key text NOT NULL,
    created_at timestamptz NOT NULL,
    -- Signatures dated at this time or later are refused; null while the key signs.
    retired_at timestamptz CHECK (retired_at >= created_at),
    -- The last time a process reported that it uses the key.
    seen_at timestamptz NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY
  )`,
  `CREATE UNIQUE INDEX signing_keys_current ON signing_keys ((retired_at IS NULL)) WHERE retired_at IS NULL`
]
