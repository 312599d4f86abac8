import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId } from "../ids/Ids.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"

export const domainStatuses = ["pending", "verified"] as const

/** A domain whose ownership an account has proven or still has to prove (DOMAIN-1). */
export interface Domain {
  readonly accountId: AccountId
  /** Lower-case ASCII, without a final dot. */
  readonly domain: string
  /** The text that the domain must publish. */
  readonly token: string
  readonly status: (typeof domainStatuses)[number]
  /** When it was last checked; null if never. */
  readonly checkedAt: Timestamp | null
  /** Why the last check did not find the token; null if it found the token, or if there was no check. */
  readonly problem: string | null
  /** The number of consecutive checks that could not reach the domain. */
  readonly failures: number
  /** When a verified domain is checked again. */
  readonly dueAt: Timestamp | null
  readonly createdAt: Timestamp
}

/** The maximum number of domains of one account (DOMAIN-8). */
export const domainLimit = 20

/** The result of a check: the token was found, it is absent, or the domain could not be read. */
export type DomainCheck =
  | { readonly _tag: "Proved" }
  | { readonly _tag: "Absent"; readonly reason: string }
  | { readonly _tag: "Unreachable"; readonly reason: string }

/** Verified domains are checked again after a week (DOMAIN-5). */
const recheckAfter = 7 * Time.day

/** A verified domain becomes pending after this many consecutive daily checks that could not reach it (DOMAIN-5). */
const toleratedFailures = 3

/** The domain after a check at this time (DOMAIN-4, DOMAIN-5). */
export const checked = (before: Domain, check: DomainCheck, now: Timestamp): Domain => {
  if (check._tag === "Proved") {
    return { ...before, status: "verified", checkedAt: now, problem: null, failures: 0, dueAt: now + recheckAfter }
  }
  const failures = check._tag === "Unreachable" ? before.failures + 1 : 0
  const stays = before.status === "verified" && check._tag === "Unreachable" && failures < toleratedFailures
  return {
    ...before,
    status: stays ? "verified" : "pending",
    checkedAt: now,
    problem: check.reason,
    failures: stays ? failures : 0,
    dueAt: stays ? now + Time.day : null
  }
}

/** The record after another account has proven the domain: its account must prove it again (DOMAIN-6). */
export const superseded = (before: Domain): Domain => ({
  ...before,
  status: "pending",
  problem: "another account has proven this domain in the meantime; verify it again",
  failures: 0,
  dueAt: null
})
