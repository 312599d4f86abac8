/** The version of the stored JSON of each row, so that rows with an earlier version are found and rendered again. */
export const renderings: ReadonlyArray<string> = [
  `ALTER TABLE souls ADD COLUMN rendering int NOT NULL DEFAULT 1`,
  `CREATE INDEX souls_rendering ON souls (rendering)`,
  `ALTER TABLE listings ADD COLUMN rendering int NOT NULL DEFAULT 1`,
  `CREATE INDEX listings_rendering ON listings (rendering)`
]
