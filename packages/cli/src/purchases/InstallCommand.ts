import type { Installed } from "@agent-marketplace/client/node/installSkill"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import type { Page } from "../terminal/CliContext.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"

/** The folder of the installs. */
export const installDirFlag = Flag.String("dir").pipe(
  Flag.withDescription("The folder for installs, each in its own subfolder"),
  Flag.withDefault("skills")
)

/** The names of installs. */
export const namesArgument = Argument.String("names").pipe(
  Argument.withDescription("The names of installs; default: all"),
  Argument.variadic()
)

/** The item or purchase that the argument names, and the target folder. */
interface InstallRequest {
  readonly purchaseId?: string
  readonly skillId?: string
  readonly installDir: string
}

/** Fetches what was bought (CLI-6); the code that fetches is loaded only when needed. */
export const install = (request: InstallRequest) =>
  Effect.gen(function* () {
    const { installSkill } = yield* Effect.promise(() => import("@agent-marketplace/client/node/installSkill"))
    return yield* callMarket((market, { signal }) => installSkill(market, { ...request, signal }))
  })

/** The fields of an install. */
export const installedFields = (page: Page, installed: Installed): string =>
  fields(page, [
    ["installed", installed.name],
    ["in", installed.installedPath],
    ["version", installed.version],
    ["sha256", installed.sha256],
    ["license", installed.licenseKey]
  ])

export const installCommand = Command.make(
  "install",
  {
    what: Argument.String("what").pipe(
      Argument.withDescription("The id or slug of a purchased skill or SOUL, or a purchase's id, pur_…")
    ),
    installDir: installDirFlag
  },
  ({ installDir, what }) =>
    Effect.gen(function* () {
      const named = what.startsWith("pur_") ? { purchaseId: what } : { skillId: what }
      const installed = yield* install({ ...named, installDir })
      yield* report(installed, (page) => installedFields(page, installed))
    })
).pipe(Command.withDescription("Install a purchased item and record it in the lock file. None of its code is run"))
