/** Reports of items by accounts. */
export const reports: ReadonlyArray<string> = [
  `CREATE TABLE item_reports (
    id text PRIMARY KEY,
    item_id text NOT NULL,
    reporter_id text NOT NULL,
    reason text NOT NULL CHECK (reason IN ('malware', 'prompt_injection', 'copy', 'spam', 'illegal', 'other')),
    text text NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'resolved')),
    action text CHECK (action IN ('none', 'suspend', 'quarantine', 'revoke')),
    created_at timestamptz NOT NULL,
    resolved_at timestamptz,
    CONSTRAINT item_reports_once UNIQUE (item_id, reporter_id),
    CHECK ((status = 'resolved') = (action IS NOT NULL AND resolved_at IS NOT NULL))
  )`,
  `CREATE INDEX item_reports_oldest ON item_reports (created_at, id)`,
  `CREATE INDEX item_reports_status ON item_reports (status, created_at, id)`
]
