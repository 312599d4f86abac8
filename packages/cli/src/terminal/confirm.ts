import { Effect } from "effect"
import { Flag, Prompt } from "effect/cli"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import { CliContext } from "./CliContext.ts"
import { JsonFlag } from "./JsonFlag.ts"
import { plain } from "./text.ts"

/** Skips the confirmation. */
export const yesFlag = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withoutNegation,
  Flag.withDescription("Skip the confirmation"),
  Flag.withDefault(false)
)

/** Continues if the user confirms at the prompt, or if `confirmed` is true. */
export const confirm = (question: string, confirmed: boolean) =>
  Effect.gen(function* () {
    if (confirmed) return
    const { canPrompt } = yield* CliContext
    if (!canPrompt || (yield* JsonFlag))
      return yield* usageFailure(
        "this command needs a confirmation, but there is no terminal for a prompt",
        "Add --yes to confirm."
      )
    if (yield* Prompt.run(Prompt.Confirm({ message: plain.line(question), initial: false }))) return
    return yield* new CommandFailure({ code: "DECLINED", message: "nothing was done", exitCode: exitCodes.failure })
  })
