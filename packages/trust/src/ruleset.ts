/** The version of the rules: year, month, and a number that is raised with each change of rules or words (SCAN-9). `npm run trust` measures them (SCAN-17). */
export const rulesetVersion = "2026.11.13"

/** SHA-256 of the sources that decide a verdict. `npm run trust` reports the current one if it differs. */
export const rulesetDigest = "7fdfbe33a9da3bd5c922ce923a96a3cef50311e49e7f9efcbc76c0d15092ddab"
