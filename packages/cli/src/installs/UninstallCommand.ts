import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { explain } from "../errors/explain.ts"
import { installDirFlag } from "../purchases/InstallCommand.ts"
import { report } from "../terminal/report.ts"
import { switchFlag } from "../terminal/switchFlag.ts"

/** Removes an install; the license stays (CLI-23). */
export const uninstallCommand = Command.make(
  "uninstall",
  {
    name: Argument.String("name").pipe(Argument.withDescription("The name of an install")),
    installDir: installDirFlag,
    force: switchFlag("force", "Remove files that were changed or added by hand, too")
  },
  ({ force, installDir, name }) =>
    Effect.gen(function* () {
      const { uninstall } = yield* Effect.promise(() => import("@agent-marketplace/client/node/uninstall"))
      yield* Effect.tryPromise({ try: () => uninstall(name, installDir, { force }), catch: explain })
      yield* report({ name, uninstalled: true }, () => `${name} is removed. Its license stays valid.`)
    })
).pipe(Command.withDescription("Remove an installed item and its entry in the lock file"))
