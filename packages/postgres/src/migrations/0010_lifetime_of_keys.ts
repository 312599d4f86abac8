/** The original lifetime of a key in milliseconds: its expiry may be that of a rotation's grace period. */
export const lifetimeOfKeys: ReadonlyArray<string> = [
  `ALTER TABLE api_keys ADD COLUMN lifetime bigint CHECK (lifetime > 0)`,
  `UPDATE api_keys SET lifetime = round(extract(epoch FROM expires_at - created_at) * 1000)
    WHERE expires_at > created_at AND status = 'active'`
]
