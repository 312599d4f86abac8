/** Rescans that creators request. */
export const rescans: ReadonlyArray<string> = [
  `ALTER TABLE releases ADD COLUMN rescan_due boolean NOT NULL DEFAULT false`,
  `CREATE INDEX releases_rescan_due ON releases (id) WHERE rescan_due`
]
