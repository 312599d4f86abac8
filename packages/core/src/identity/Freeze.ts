import type { ActionState, OperatorAction } from "../admin/OperatorAction.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"

/** Why and since when an account or an agent is frozen: it can read, but change nothing (ACCOUNT-12). */
export interface Freeze {
  readonly since: Timestamp
  readonly reason: string | null
}

/** A second freeze keeps the time of the first one, and its reason where the second gives none (AGENT-8). */
export const refrozen = (before: Freeze | null, after: Freeze | null): Freeze | null =>
  before === null || after === null ? after : { since: before.since, reason: after.reason ?? before.reason }

const stateOf = (freeze: Freeze | null): ActionState => ({
  frozenAt: freeze === null ? null : Time.toIso(freeze.since),
  frozenReason: freeze?.reason ?? null
})

/** The states before and after a freeze, for the log of the operator's actions. */
export const freezeStates = (
  before: Freeze | null,
  after: Freeze | null
): Pick<OperatorAction, "before" | "after"> => ({
  before: stateOf(before),
  after: stateOf(after)
})
