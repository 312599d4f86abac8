import { Flag } from "effect/cli"

/** How long the old key goes on working. */
export const graceFlag = Flag.Int("grace-seconds").pipe(
  Flag.withDescription("How long the old key goes on working, at most 604800"),
  Flag.withDefault(86_400)
)
