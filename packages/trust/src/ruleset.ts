/** The version of the rules: year, month, and a number that is raised with each change of rules or words (SCAN-9). `npm run trust` measures them (SCAN-17). */
export const rulesetVersion = "2026.11.10"

/** SHA-256 of the sources that decide a verdict. `npm run trust` reports the current one if it differs. */
export const rulesetDigest = "013453643c4f0c53e127ed2ee91c6d72432b700c70f4cd9d40791d72d1c76a09"
