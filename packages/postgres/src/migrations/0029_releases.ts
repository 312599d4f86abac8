/** Releases of items, the verdicts about their bytes, and what of them items show. */
export const releases: ReadonlyArray<string> = [
  // Never changed: a verdict depends on nothing but the bytes and the ruleset.
  `CREATE TABLE verdicts (
    sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    ruleset text NOT NULL,
    level text NOT NULL CHECK (level IN ('clean', 'notice', 'warn', 'block')),
    findings jsonb NOT NULL,
    capabilities jsonb NOT NULL,
    PRIMARY KEY (sha256, ruleset)
  )`,
  `CREATE TABLE releases (
    id text PRIMARY KEY,
    item_id text NOT NULL,
    version text NOT NULL,
    media_type text NOT NULL CHECK (media_type IN ('application/gzip', 'application/zip', 'text/markdown')),
    sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    size bigint NOT NULL CHECK (size >= 0),
    files jsonb NOT NULL,
    status text NOT NULL CHECK (status IN ('scanning', 'published', 'in_review', 'quarantined', 'yanked')),
    ruleset text,
    level text CHECK (level IN ('clean', 'notice', 'warn', 'block')),
    decided_by text NOT NULL CHECK (decided_by IN ('scan', 'operator')),
    awaits text CHECK (awaits IN ('listing', 'operator')),
    reason jsonb,
    statement jsonb,
    created_at timestamptz NOT NULL,
    yanked_at timestamptz,
    rescanned_at timestamptz,
    CONSTRAINT releases_version UNIQUE (item_id, version),
    CONSTRAINT releases_verdict FOREIGN KEY (sha256, ruleset) REFERENCES verdicts (sha256, ruleset),
    CHECK ((ruleset IS NULL) = (level IS NULL)),
    CHECK (status <> 'published' OR level IS NOT NULL),
    CHECK ((status = 'in_review') = (awaits IS NOT NULL)),
    CHECK ((status = 'yanked') <= (yanked_at IS NOT NULL))
  )`,
  `CREATE INDEX releases_of_item ON releases (item_id, created_at DESC, id DESC)`,
  `CREATE INDEX releases_digest ON releases (sha256, status)`,
  `CREATE INDEX releases_scanning ON releases (created_at, id) WHERE status = 'scanning'`,
  `CREATE INDEX releases_ruleset ON releases (ruleset) WHERE status = 'published'`,
  `CREATE INDEX releases_awaiting ON releases (item_id) WHERE awaits = 'listing'`,
  // See shelfState in core.
  ...["listings", "souls"].flatMap((table) => [
    `ALTER TABLE ${table} ADD COLUMN release_version text`,
    `ALTER TABLE ${table} ADD COLUMN trust text`,
    `ALTER TABLE ${table} ADD COLUMN quarantined boolean NOT NULL DEFAULT false`,
    `ALTER TABLE ${table} ADD COLUMN quarantine jsonb`
  ])
]
