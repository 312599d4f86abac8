/** Conditions that degrade the service, found by one process and shown by all. */
export const conditions: ReadonlyArray<string> = [
  `CREATE TABLE conditions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    detail text,
    since timestamptz NOT NULL,
    ended_at timestamptz
  )`,
  // At most one open condition of each kind.
  `CREATE UNIQUE INDEX conditions_open ON conditions (kind) WHERE ended_at IS NULL`
]
