/** Releases that an operator can decide about, in the order of their waiting time. */
export const waitingReleases: ReadonlyArray<string> = [
  `CREATE INDEX releases_waiting ON releases ((coalesce(to_timestamp((reason ->> 'at')::float8 / 1000), created_at)), id)
    WHERE awaits = 'operator' OR status = 'quarantined'`
]
