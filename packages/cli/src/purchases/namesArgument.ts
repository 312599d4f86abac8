import { Argument } from "effect/cli"

/** Which installs are meant. */
export const namesArgument = Argument.String("names").pipe(
  Argument.withDescription("The names of installs; all where absent"),
  Argument.variadic()
)
