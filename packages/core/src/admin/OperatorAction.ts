import type { Timestamp } from "../clock/Timestamp.ts"
import type { ActionId } from "../ids/Ids.ts"

/** The caller with the operator's token, and the request (OPERATOR-16). */
export interface Operator {
  /** The name that the caller gives in `X-Operator`. */
  readonly name: string
  readonly requestId: string
  /** The reason that the request gives, if any. */
  readonly reason?: string | null
}

/** The fields that an action changed, as JSON values; null if the record did not exist before or after it. */
export type ActionState = Readonly<
  Record<string, string | number | boolean | null | Readonly<Record<string, string | number | null>>>
> | null

/** One write by the operator, kept in the log permanently (OPERATOR-14). It never contains names or e-mail addresses of accounts. */
export interface OperatorAction {
  readonly id: ActionId
  readonly at: Timestamp
  readonly actor: string
  /** The action's name, such as `account.freeze`. */
  readonly action: string
  /** The id of the changed record. */
  readonly subject: string
  readonly before: ActionState
  readonly after: ActionState
  readonly reason: string | null
  readonly requestId: string
}

/** An operator's action before the states of the record are known. */
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
