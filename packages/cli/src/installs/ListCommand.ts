import type { ListedInstall } from "@agent-marketplace/client/node/listInstalled"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { explain } from "../errors/explain.ts"
import { installDirFlag, verdictText } from "../purchases/InstallCommand.ts"
import { list } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"

const columns: ReadonlyArray<Column<ListedInstall>> = [
  { title: "NAME", value: ({ name }) => name },
  { title: "VERSION", value: ({ version }) => version, yields: true },
  { title: "SOURCE", value: ({ source }) => source.type },
  { title: "VERDICT", value: verdictText, yields: true },
  { title: "LICENSE", value: ({ purchaseId }) => purchaseId ?? "free" }
]

/** Shows the lock file (CLI-23). */
export const listCommand = Command.make("list", { installDir: installDirFlag }, ({ installDir }) =>
  Effect.gen(function* () {
    const { listInstalled } = yield* Effect.promise(() => import("@agent-marketplace/client/node/listInstalled"))
    const installed = yield* Effect.tryPromise({ try: () => listInstalled(installDir), catch: explain })
    yield* report(installed, (page) =>
      list(page, { rows: installed, columns, empty: `Nothing is installed in ${installDir}.` })
    )
  })
).pipe(Command.withDescription("List what is installed, with versions, verdicts and licenses"))
