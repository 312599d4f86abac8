/** Codes of the reasons for which an item is rejected or withdrawn. The list is complete (REASON-1). */
export const reasonCodes = [
  "malware",
  "prompt_injection",
  "persistence",
  "theft",
  "secrets",
  "copy",
  "impersonation",
  "misleading",
  "broken",
  "spam",
  "illegal",
  "policy",
  "other"
] as const

export type ReasonCode = (typeof reasonCodes)[number]
