/** The version of the rules: year, month, and a number that is raised with each change of rules or words (SCAN-9). `npm run trust` measures them (SCAN-17). */
export const rulesetVersion = "2026.11.7"

/** SHA-256 of the sources that decide a verdict. `npm run trust` reports the current one if it differs. */
export const rulesetDigest = "b7262e3ae3f909290ff70c532b697af8865f14f9e42f92f4bc062fbf50bca093"
