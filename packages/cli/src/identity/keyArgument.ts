import { Argument } from "effect/cli"

/** Which key is meant: its id is no secret. */
export const keyArgument = Argument.String("key-id").pipe(Argument.withDescription("A key's id, key_…"))
