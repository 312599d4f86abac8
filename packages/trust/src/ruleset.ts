/** The version of the rules: year, month, and a number that is raised with each change of rules or words (SCAN-9). `npm run trust` measures them (SCAN-17). */
export const rulesetVersion = "2026.11.6"

/** SHA-256 of rules, words and lists of hosts. `npm run trust` reports the current one if it differs. */
export const rulesetDigest = "ff0eb48a612ab43e809d75a887c8558f5945e5161bddc6aed1b8b97307fe14d2"
