import type { FrozenInstall } from "@agent-marketplace/client/node/installFrozen"
import { differencesText } from "@agent-marketplace/client/node/ChangedByHand"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { forceFlag, installDirFlag } from "../purchases/InstallCommand.ts"
import { list } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import { switchFlag } from "../terminal/switchFlag.ts"
import type { Column } from "../terminal/table.ts"

const columns: ReadonlyArray<Column<FrozenInstall>> = [
  { title: "NAME", value: ({ name }) => name },
  { title: "STATUS", value: ({ status }) => status },
  { title: "VERSION", value: ({ version }) => version, yields: true },
  { title: "DISCARDED", value: ({ discarded }) => differencesText(discarded), yields: true }
]

/** Installs exactly what the lock file says (CLI-22). */
export const ciCommand = Command.make(
  "ci",
  {
    installDir: installDirFlag,
    frozen: switchFlag("frozen", "Never change the lock file; this command never does, with or without the flag"),
    force: forceFlag
  },
  ({ force, installDir }) =>
    Effect.gen(function* () {
      const { installFrozen } = yield* Effect.promise(() => import("@agent-marketplace/client/node/installFrozen"))
      const installed = yield* callMarket((market, { signal }) => installFrozen(market, installDir, { signal, force }))
      yield* report(installed, (page) => list(page, { rows: installed, columns, empty: "" }))
    })
).pipe(
  Command.withDescription(
    "Install exactly what the lock file says, or fail: also if a license was refunded, if the market revoked something, or if files were changed by hand and --force is not given"
  )
)
