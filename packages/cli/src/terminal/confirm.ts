import { Effect } from "effect"
import { Prompt } from "effect/cli"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { usageFailure } from "../errors/usageFailure.ts"
import { JsonFlag } from "./JsonFlag.ts"
import { plain } from "./plain.ts"
import { Surroundings } from "./Surroundings.ts"

/** Goes on where somebody at the terminal agrees, or `agreed` says so already. */
export const confirm = (question: string, agreed: boolean) =>
  Effect.gen(function* () {
    if (agreed) return
    const { canPrompt } = yield* Surroundings
    if (!canPrompt || (yield* JsonFlag))
      return yield* usageFailure("nobody is there to be asked", "Add --yes to go on without being asked.")
    if (yield* Prompt.run(Prompt.Confirm({ message: plain.line(question), initial: false }))) return
    return yield* new CommandFailure({ code: "DECLINED", message: "nothing was done", exitCode: exitCodes.failure })
  })
