import { Argument } from "effect/cli"

/** Which subscription is meant. */
export const webhookArgument = Argument.String("webhook").pipe(Argument.withDescription("A subscription's id, whk_…"))
