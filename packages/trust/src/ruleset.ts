/** The version of the rules: year, month, and a number that is raised with each change of rules or words (SCAN-9). `npm run trust` measures them (SCAN-17). */
export const rulesetVersion = "2026.11.9"

/** SHA-256 of the sources that decide a verdict. `npm run trust` reports the current one if it differs. */
export const rulesetDigest = "67050627666eae44f3dcbdcf2580fe4a5481b13482d0bd9b522867001f52f1a5"
