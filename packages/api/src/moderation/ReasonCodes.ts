import { choice } from "@agent-marketplace/core/fields/InputRules"
import { reasonCodes } from "@agent-marketplace/core/moderation/ReasonCode"
import { field } from "../wire/Field.ts"
import { optional } from "../wire/Input.ts"

/** The code of an operator's reason in a body (REASON-1). */
export const reasonCode = field(
  optional(choice(reasonCodes)),
  "The kind of reason, which the creator sees too; `other` by default.",
  "misleading"
)
