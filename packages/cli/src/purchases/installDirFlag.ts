import { Flag } from "effect/cli"

/** Where installs are. */
export const installDirFlag = Flag.String("dir").pipe(
  Flag.withDescription("The folder in which each install has one of its own"),
  Flag.withDefault("skills")
)
