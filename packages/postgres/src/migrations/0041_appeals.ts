/** Codes of the reasons for decisions about items, and appeals of these decisions. */
export const appeals: ReadonlyArray<string> = [
  ...["listings", "souls"].flatMap((table) => [
    `ALTER TABLE ${table} ADD COLUMN reason_code text`,
    `ALTER TABLE ${table} ADD COLUMN decided_at timestamptz`
  ]),
  `CREATE TABLE item_appeals (
    id text PRIMARY KEY,
    item_id text NOT NULL,
    creator_id text NOT NULL,
    subject text NOT NULL CHECK (subject IN ('rejection', 'suspension', 'quarantine')),
    version text,
    decision text NOT NULL,
    code text,
    reason text,
    text text NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'upheld', 'overturned')),
    answer text,
    created_at timestamptz NOT NULL,
    decided_at timestamptz,
    CONSTRAINT item_appeals_once UNIQUE (item_id, decision),
    CHECK ((status = 'open') = (decided_at IS NULL)),
    CHECK ((status = 'open') = (answer IS NULL))
  )`,
  `CREATE INDEX item_appeals_of_item ON item_appeals (item_id, created_at DESC, id DESC)`,
  `CREATE INDEX item_appeals_oldest ON item_appeals (created_at, id)`,
  `CREATE INDEX item_appeals_status ON item_appeals (status, created_at, id)`
]
