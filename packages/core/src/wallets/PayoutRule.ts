import type { ActionState } from "../admin/OperatorAction.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import type { SetPayouts } from "../settlement/Command.ts"
import type { Rule } from "../settlement/Rule.ts"
import { accept } from "../settlement/Rule.ts"
import type { PayoutPause } from "./Withdrawal.ts"

const shown = (pause: PayoutPause | null): NonNullable<ActionState> => ({
  pausedAt: pause === null ? null : Timestamp.toIso(pause.since)
})

/** Stops or starts all payouts of all processes; a second pause keeps the time of the first. Each call enters the operator's log. */
export const payoutRule: Rule<SetPayouts> = (state, { action, paused, reason }) => {
  const before = state.payoutPause
  const pause = paused ? { since: before?.since ?? state.now, reason } : null
  return accept({ _tag: "Payouts", pause }, [
    { _tag: "Payouts", pause },
    { _tag: "Action", action: { ...action, before: shown(before), after: shown(pause) } }
  ])
}
