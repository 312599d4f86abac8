import type { ActionState, OperatorAction } from "../admin/OperatorAction.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"

/** An account or an agent that may read and change nothing, since when and why (ACCOUNT-12). */
export interface Freeze {
  readonly since: Timestamp
  readonly reason: string | null
}

/** Freezing again what is frozen keeps the time of the first freeze. */
export const refrozen = (before: Freeze | null, after: Freeze | null): Freeze | null =>
  before === null || after === null ? after : { since: before.since, reason: after.reason }

const stateOf = (freeze: Freeze | null): ActionState => ({
  frozenAt: freeze === null ? null : Time.toIso(freeze.since),
  frozenReason: freeze?.reason ?? null
})

/** Both states of a freeze as the log of the operator's actions shows them. */
export const freezeStates = (
  before: Freeze | null,
  after: Freeze | null
): Pick<OperatorAction, "before" | "after"> => ({
  before: stateOf(before),
  after: stateOf(after)
})
