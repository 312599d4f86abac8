import { Flag } from "effect/cli"

/** Whose policy is meant. */
export const agentFlag = Flag.String("agent").pipe(
  Flag.withDescription("An agent's policy, by its id, instead of the owner's"),
  Flag.optional
)
