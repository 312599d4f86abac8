/** Versions of souls have releases. Those of before, and those that an older process stores, are given one in the background. */
export const soulReleases: ReadonlyArray<string> = [
  `ALTER TABLE soul_versions ADD COLUMN released boolean NOT NULL DEFAULT false`,
  `CREATE INDEX soul_versions_unreleased ON soul_versions (soul_id, version DESC) WHERE NOT released`
]
