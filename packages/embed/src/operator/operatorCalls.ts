import { bindOperations } from "@agent-marketplace/client/operations/bindOperations"
import type { BoundOperations } from "@agent-marketplace/client/operations/bindOperations"
import type { Send } from "@agent-marketplace/client/requests/Send"
import { operatorName } from "@agent-marketplace/http/edge/Operator"
import { Result } from "effect"
import { invalidOptions } from "../options/optionChecks.ts"
import { operatorOperations } from "./operatorOperations.ts"

/** The operations of one operator. */
type OperatorActions = BoundOperations<typeof operatorOperations>

/** The operator's calls. */
export interface OperatorCalls extends OperatorActions {
  /**
   * The same calls for a named person: the action log then has the name as the actor. Without it the actor is `operator`. A name has
   * 1 to 100 visible characters.
   */
  readonly as: (name: string) => OperatorActions
}

const problemOf = (name: unknown): string | undefined => {
  if (typeof name !== "string" || name.trim() === "") return "must be a text"
  const checked = operatorName(name)
  return Result.isFailure(checked) ? checked.failure.message : undefined
}

/** `sendAs` sends requests of the operator, under this name if there is one. */
export const operatorCalls = (sendAs: (name?: string) => Send): OperatorCalls => ({
  ...bindOperations(operatorOperations, sendAs()),
  as: (name) => {
    const problem = problemOf(name)
    if (problem !== undefined) throw invalidOptions("operator.as", [{ path: "name", message: problem }])
    return bindOperations(operatorOperations, sendAs(name))
  }
})
