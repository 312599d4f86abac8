import { Flag } from "effect/cli"

/** A flag without a value: false unless it is given. */
export const switchFlag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDescription(description), Flag.withDefault(false))
