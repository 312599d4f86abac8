import type { Updated } from "@agent-marketplace/client/node/updateInstalled"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import { list } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import { switchFlag } from "../terminal/switchFlag.ts"
import type { Column } from "../terminal/table.ts"
import { acceptFlag, changesText, installDirFlag, namesArgument } from "./InstallCommand.ts"

const columns: ReadonlyArray<Column<Updated>> = [
  { title: "NAME", value: ({ name }) => name },
  { title: "STATUS", value: ({ status }) => status },
  { title: "VERSION", value: ({ from, to }) => (from === to ? to : `${from} → ${to}`), yields: true },
  { title: "CHANGES", value: ({ changes }) => changesText(changes), yields: true },
  { title: "WHY", value: ({ message }) => message ?? "", yields: true }
]

const failed = (count: number) =>
  new CommandFailure({
    code: "UPDATE_FAILED",
    message: `${count} of the installs were not updated; they are unchanged`,
    exitCode: exitCodes.failure
  })

export const updateCommand = Command.make(
  "update",
  {
    names: namesArgument,
    installDir: installDirFlag,
    accept: acceptFlag,
    dryRun: switchFlag("dry-run", "Only show what would change")
  },
  ({ accept, dryRun, installDir, names }) =>
    Effect.gen(function* () {
      const { updateInstalled } = yield* Effect.promise(() => import("@agent-marketplace/client/node/updateInstalled"))
      const wanted = names.length === 0 ? undefined : names
      const updated = yield* callMarket((market, { signal }) =>
        updateInstalled(market, installDir, wanted, { signal, accept, dryRun })
      )
      yield* report(updated, (page) =>
        list(page, { rows: updated, columns, empty: `Nothing is installed in ${installDir}.` })
      )
      const failures = updated.filter(({ status }) => status === "failed" || status === "not_accepted").length
      if (failures > 0) return yield* failed(failures)
      return undefined
    })
).pipe(
  Command.withDescription(
    "Fetch the installed items again and replace those that changed: shows changed files, capabilities and verdicts. What asks for more needs --accept"
  )
)
