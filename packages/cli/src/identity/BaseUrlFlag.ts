import { Flag, GlobalFlag } from "effect/cli"

/** Which market is meant. */
export const BaseUrlFlag = GlobalFlag.Setting("base-url")({
  flag: Flag.String("base-url").pipe(
    Flag.withDescription("The market's address; MARKETPLACE_URL or the last login's where absent"),
    Flag.withMetavar("url"),
    Flag.optional
  )
})
