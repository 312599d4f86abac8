import { Flag } from "effect/cli"

/** Whether to go on without being asked. */
export const yesFlag = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withoutNegation,
  Flag.withDescription("Do it without asking"),
  Flag.withDefault(false)
)
