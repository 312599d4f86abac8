/** What `SKILL.md` says about a release, and the free skills that other installers find. */
export const frontMatter: ReadonlyArray<string> = [
  `ALTER TABLE releases ADD COLUMN front_matter jsonb`,
  `CREATE INDEX listings_free_releases ON listings (id) WHERE price = 0 AND release_version IS NOT NULL`
]
