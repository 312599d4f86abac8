import type { Verification } from "@agent-marketplace/client/node/verifyInstalled"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { explain } from "../errors/explain.ts"
import { list } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { installDirFlag, namesArgument } from "./InstallCommand.ts"

const columns: ReadonlyArray<Column<Verification>> = [
  { title: "NAME", value: ({ name }) => name },
  {
    title: "STATE",
    value: ({ differences }) =>
      differences.map(({ difference, path }) => `${path} ${difference}`).join(", ") || "as installed",
    yields: true
  },
  { title: "SIGNED", value: ({ verified }) => (verified ? "yes" : "unverified") }
]

const changed = (count: number) =>
  new CommandFailure({
    code: "INSTALL_CHANGED",
    message: `${count} of the installs differ from what was installed`,
    hint: "`agent-marketplace install <item>` restores missing files; with --force it also discards what was changed by hand.",
    exitCode: exitCodes.failure
  })

export const verifyCommand = Command.make(
  "verify",
  { names: namesArgument, installDir: installDirFlag },
  ({ installDir, names }) =>
    Effect.gen(function* () {
      const { verifyInstalled } = yield* Effect.promise(() => import("@agent-marketplace/client/node/verifyInstalled"))
      const found = yield* Effect.tryPromise({
        try: () => verifyInstalled(installDir, names.length === 0 ? undefined : names),
        catch: explain
      })
      yield* report(found, (page) =>
        list(page, { rows: found, columns, empty: `Nothing is installed in ${installDir}.` })
      )
      const different = found.filter(({ differences }) => differences.length > 0).length
      if (different > 0) return yield* changed(different)
      return undefined
    })
).pipe(
  Command.withDescription(
    "Compare what is installed with the lock file and the market's signatures, without a request; exits with 1 if something differs"
  )
)
