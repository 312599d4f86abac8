import { Flag, GlobalFlag } from "effect/cli"

/** Whether the arguments contain `--json`, even if they cannot be parsed otherwise. */
export const wantsJson = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  return (end === -1 ? args : args.slice(0, end)).includes("--json")
}

/** Whether to print the result as JSON (CLI-3). */
export const JsonFlag = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withoutNegation,
    Flag.withDescription("Print one JSON document instead of text; errors too, on standard error"),
    Flag.withDefault(false)
  )
})
