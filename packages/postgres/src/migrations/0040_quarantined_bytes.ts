/** The search for releases whose bytes are quarantined elsewhere. */
export const quarantinedBytes: ReadonlyArray<string> = [
  `CREATE INDEX releases_quarantined ON releases (sha256) WHERE status = 'quarantined'`
]
