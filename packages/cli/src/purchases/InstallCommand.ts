import type { Installed } from "@agent-marketplace/client/node/installSkill"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import type { Page } from "../terminal/CliContext.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"

/** Where installs are. */
export const installDirFlag = Flag.String("dir").pipe(
  Flag.withDescription("The folder in which each install has one of its own"),
  Flag.withDefault("skills")
)

/** The names of installs. */
export const namesArgument = Argument.String("names").pipe(
  Argument.withDescription("The names of installs; default: all"),
  Argument.variadic()
)

/** What is named by one of the two, and where it goes. */
interface InstallRequest {
  readonly purchaseId?: string
  readonly skillId?: string
  readonly installDir: string
}

/** Fetches what was bought (CLI-6); what fetches it is loaded only now. */
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
