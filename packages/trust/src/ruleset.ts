/** The version of the rules: year, month, and a number that is raised with each change of rules or words (SCAN-9). `npm run trust` measures them (SCAN-17). */
export const rulesetVersion = "2026.11.12"

/** SHA-256 of the sources that decide a verdict. `npm run trust` reports the current one if it differs. */
export const rulesetDigest = "17a66541ba88b4bd94e6d00bcb614c259141ac53fba363f6a33f4592c27817c3"
