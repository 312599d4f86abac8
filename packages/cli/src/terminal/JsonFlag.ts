import { Flag, GlobalFlag } from "effect/cli"

/** Whether the result is wanted as JSON (CLI-3). */
export const JsonFlag = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withoutNegation,
    Flag.withDescription("Print one JSON document instead of text; errors too, on standard error"),
    Flag.withDefault(false)
  )
})
