import type { FrozenInstall } from "@agent-marketplace/client/node/installFrozen"
import { differencesText } from "@agent-marketplace/client/node/ChangedByHand"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { installDirFlag } from "../purchases/InstallCommand.ts"
import { list } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import { switchFlag } from "../terminal/switchFlag.ts"
import type { Column } from "../terminal/table.ts"

const columns: ReadonlyArray<Column<FrozenInstall>> = [
  { title: "NAME", value: ({ name }) => name },
  { title: "STATUS", value: ({ status }) => status },
  { title: "VERSION", value: ({ version }) => version, yields: true },
  { title: "DIFFERENCES", value: ({ differences }) => differencesText(differences), yields: true }
]

/** Installs exactly what the lock file says (CLI-22). */
export const ciCommand = Command.make(
  "ci",
  {
    installDir: installDirFlag,
    frozen: switchFlag("frozen", "Never change the lock file; this command never does, with or without the flag")
  },
  ({ installDir }) =>
    Effect.gen(function* () {
      const { installFrozen } = yield* Effect.promise(() => import("@agent-marketplace/client/node/installFrozen"))
      const installed = yield* callMarket((market, { signal }) => installFrozen(market, installDir, { signal }))
      yield* report(installed, (page) => list(page, { rows: installed, columns, empty: "" }))
    })
).pipe(
  Command.withDescription(
    "Install exactly what the lock file says, or fail: also if a license was refunded, or if the market revoked something. Folders that differ are replaced and listed"
  )
)
