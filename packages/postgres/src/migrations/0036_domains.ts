/** The domains that creators prove, and the mark that their items show. */
export const domains: ReadonlyArray<string> = [
  `CREATE TABLE account_domains (
    account_id text NOT NULL REFERENCES accounts (id),
    domain text NOT NULL CHECK (domain ~ '^[a-z0-9.-]{3,253}$'),
    token text NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'verified')),
    checked_at timestamptz,
    problem text,
    failures int NOT NULL,
    -- Of verified domains only.
    due_at timestamptz CHECK ((due_at IS NULL) = (status = 'pending')),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, domain)
  )`,
  // One account proves a domain at a time.
  `CREATE UNIQUE INDEX account_domains_verified ON account_domains (domain) WHERE status = 'verified'`,
  `CREATE INDEX account_domains_by_domain ON account_domains (domain)`,
  `CREATE INDEX account_domains_due ON account_domains (due_at) WHERE due_at IS NOT NULL`,
  // Constant defaults, so that the rows need not be written.
  `ALTER TABLE souls ADD COLUMN creator_verified boolean NOT NULL DEFAULT false`,
  `ALTER TABLE listings ADD COLUMN creator_verified boolean NOT NULL DEFAULT false`
]
