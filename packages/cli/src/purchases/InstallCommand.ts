import type { Installed } from "@agent-marketplace/client/node/installSkill"
import type { Changes } from "@agent-marketplace/client/node/releases/changesOf"
import { differencesText } from "@agent-marketplace/client/node/ChangedByHand"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import type { Page } from "../terminal/CliContext.ts"
import { report } from "../terminal/report.ts"
import { switchFlag } from "../terminal/switchFlag.ts"
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

/** Consents to a replacement that asks for more (INSTALL-16). */
export const acceptFlag = switchFlag(
  "accept",
  "Accept a release that asks for more than the installed one, or changed files of an unverified item; with a key of the owner"
)

/** Discards changes that were made by hand (CLI-6). */
const forceFlag = switchFlag("force", "Discard files that were changed or added by hand, and show which")

/** The item or purchase that the argument names, and the target folder. */
interface InstallRequest {
  readonly purchaseId?: string
  readonly skillId?: string
  readonly version?: string | undefined
  readonly accept?: boolean
  readonly force?: boolean
  readonly installDir: string
}

/** Fetches what was bought (CLI-6); the code that fetches is loaded only when needed. */
export const install = (request: InstallRequest) =>
  Effect.gen(function* () {
    const { installSkill } = yield* Effect.promise(() => import("@agent-marketplace/client/node/installSkill"))
    return yield* callMarket((market, { signal }) => installSkill(market, { ...request, signal }))
  })

/** The differences from the earlier install, for a table. */
export const changesText = (changes: Changes | null): string => {
  if (changes === null) return ""
  const { capabilities, files, verdict } = changes
  const counted = [
    ["added", files.added],
    ["changed", files.changed],
    ["removed", files.removed]
  ] as const
  return [
    ...counted.flatMap(([what, paths]) => (paths.length === 0 ? [] : [`${paths.length} files ${what}`])),
    ...capabilities.added.map((capability) => `+ ${capability}`),
    ...capabilities.removed.map((capability) => `- ${capability}`),
    ...(verdict.from === verdict.to ? [] : [`verdict ${verdict.from ?? "none"} → ${verdict.to ?? "none"}`])
  ].join(", ")
}

/** The market's verdict on the files of an install, or that it has not checked them. */
export const verdictText = ({ release, source }: Pick<Installed, "release" | "source">): string => {
  if (release !== null) return `${release.level} (rules ${release.ruleset})`
  return source.type === "soul" ? "" : "unverified: the market has not checked its files"
}

/** The fields of an install. */
export const installedFields = (page: Page, installed: Installed): string =>
  fields(page, [
    ["installed", installed.name],
    ["in", installed.installedPath],
    ["version", installed.version],
    ["sha256", installed.release?.archive ?? installed.sha256],
    ["verdict", verdictText(installed)],
    ["signed by", installed.release?.keyId],
    ["license", installed.purchaseId],
    ["changes", changesText(installed.changes)],
    ["discarded", differencesText(installed.discarded)]
  ])

/** `mail-sorter@1.2.0` names a version. Slugs and ids contain no `@`. */
const requestOf = (what: string) => {
  const at = what.lastIndexOf("@")
  const [item, version] = at > 0 ? [what.slice(0, at), what.slice(at + 1)] : [what, undefined]
  return { ...(item.startsWith("pur_") ? { purchaseId: item } : { skillId: item }), version }
}

export const installCommand = Command.make(
  "install",
  {
    what: Argument.String("what").pipe(
      Argument.withDescription(
        "The id or slug of a skill or SOUL, or a purchase's id, pur_…; name@1.2.0 for a version of a release"
      )
    ),
    installDir: installDirFlag,
    accept: acceptFlag,
    force: forceFlag
  },
  ({ accept, force, installDir, what }) =>
    Effect.gen(function* () {
      const request = requestOf(what)
      if (request.version === "") return yield* usageFailure(`${what} names no version after the @`)
      const installed = yield* install({ ...request, installDir, accept, force })
      yield* report(installed, (page) => installedFields(page, installed))
      return undefined
    })
).pipe(
  Command.withDescription(
    "Install a purchased or free item and record it in the lock file. A release is installed only if its signature and the digest of every file are right. Files that were changed by hand are kept unless --force is given. None of its code is run"
  )
)
