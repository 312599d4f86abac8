import { Flag } from "effect/cli"

/** What is on sale. */
export const typeFlag = Flag.Literals("type", ["skill", "soul"]).pipe(Flag.withDescription("A skill or a SOUL"))
