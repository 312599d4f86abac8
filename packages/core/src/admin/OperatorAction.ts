import type { Timestamp } from "../clock/Timestamp.ts"
import type { ActionId } from "../ids/Ids.ts"

/** Who acts with the operator's token, and in which request (OPERATOR-16). */
export interface Operator {
  /** The name that the caller gives in `X-Operator`. */
  readonly name: string
  readonly requestId: string
}

/** The fields that an action changed, JSON-safe; null where there was nothing or nothing is left. */
export type ActionState = Readonly<
  Record<string, string | number | boolean | null | Readonly<Record<string, string | number | null>>>
> | null

/** One write of the operator's, as the log keeps it for ever (OPERATOR-14). Names and e-mail addresses of accounts never enter it. */
export interface OperatorAction {
  readonly id: ActionId
  readonly at: Timestamp
  readonly actor: string
  /** What was done, `account.freeze` for example. */
  readonly action: string
  /** The id of what it was done to. */
  readonly subject: string
  readonly before: ActionState
  readonly after: ActionState
  readonly reason: string | null
  readonly requestId: string
}

/** What an operator does to a record, before the record's states are known. */
export type ActionDraft = Omit<OperatorAction, "before" | "after">

/** The fields of two states that differ. */
export const changedFields = (
  before: NonNullable<ActionState>,
  after: NonNullable<ActionState>
): Pick<OperatorAction, "before" | "after"> => {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  )
  const pick = (state: NonNullable<ActionState>) => Object.fromEntries(names.map((name) => [name, state[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}
