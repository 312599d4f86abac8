import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { report } from "../terminal/report.ts"
import { install, installedFields } from "./install.ts"
import { installDirFlag } from "./installDirFlag.ts"

export const installCommand = Command.make(
  "install",
  {
    what: Argument.String("what").pipe(
      Argument.withDescription("The id or slug of a skill or SOUL that was bought, or a purchase's id, pur_…")
    ),
    installDir: installDirFlag
  },
  ({ installDir, what }) =>
    Effect.gen(function* () {
      const named = what.startsWith("pur_") ? { purchaseId: what } : { skillId: what }
      const installed = yield* install({ ...named, installDir })
      yield* report(installed, (page) => installedFields(page, installed))
    })
).pipe(Command.withDescription("Install what was bought, and write it into the lock file. Nothing of it is run"))
