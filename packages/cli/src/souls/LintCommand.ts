import type { SoulLint } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, FileSystem } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import { list } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"

const columns: ReadonlyArray<Column<SoulLint["findings"][number]>> = [
  { title: "LINE", value: ({ line }) => String(line), right: true },
  { title: "LEVEL", value: ({ level }) => level },
  { title: "RULE", value: ({ rule }) => rule },
  { title: "WHAT", value: ({ message }) => message, yields: true }
]

/** Exits with 1 if the market would refuse the text, so that a script can stop before it publishes. */
export const lintCommand = Command.make(
  "lint",
  { file: Argument.String("file").pipe(Argument.withDescription("A SOUL.md")) },
  ({ file }) =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const content = yield* Effect.mapError(files.readFileString(file), () => usageFailure(`${file} cannot be read`))
      const checked = yield* callMarket((market, options) => market.souls.lint({ content }, options))
      const empty = `No findings in ${checked.words} words.`
      yield* report(checked, (page) => list(page, { rows: checked.findings, columns, empty }))
      if (checked.valid) return
      return yield* new CommandFailure({
        code: "SOUL_NOT_VALID",
        message: `${file} cannot be published as it is`,
        exitCode: exitCodes.failure
      })
    })
).pipe(Command.withDescription("Compare a SOUL.md with the recommendations; publishes nothing"))
