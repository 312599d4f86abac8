import { Flag } from "effect/cli"

/** A flag with a text that may be absent. */
export const optionalText = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)
