import type { AuditedInstall } from "@agent-marketplace/client/node/audit/auditInstalled"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import { installDirFlag } from "../purchases/InstallCommand.ts"
import { list } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"

const columns: ReadonlyArray<Column<AuditedInstall>> = [
  { title: "NAME", value: ({ name }) => name },
  { title: "STATE", value: ({ state }) => state },
  { title: "SEVERITY", value: ({ advisories }) => advisories.at(-1)?.severity ?? "" },
  { title: "WHY", value: ({ advisories }) => plain.line(advisories.at(-1)?.reason ?? ""), yields: true },
  { title: "MOVED TO", value: ({ quarantinedTo }) => quarantinedTo ?? "", yields: true }
]

const refused = (count: number) =>
  new CommandFailure({
    code: "ADVISORY_REMOVE",
    message: `${count} of the installs must not be used`,
    hint: "`agent-marketplace audit --quarantine` moves them away.",
    exitCode: exitCodes.failure
  })

/** Checks installs against the market's advisories (ADVISORY-11). */
export const auditCommand = Command.make(
  "audit",
  {
    installDir: installDirFlag,
    quarantine: Flag.Boolean("quarantine").pipe(
      Flag.withoutNegation,
      Flag.withDescription("Move installs that must not be used to .marketplace-quarantine in the folder"),
      Flag.withDefault(false)
    )
  },
  ({ installDir, quarantine }) =>
    Effect.gen(function* () {
      const { auditInstalled } = yield* Effect.promise(
        () => import("@agent-marketplace/client/node/audit/auditInstalled")
      )
      const audited = yield* callMarket((market, { signal }) =>
        auditInstalled(market, installDir, { quarantine, signal })
      )
      yield* report(audited, (page) =>
        list(page, { rows: audited, columns, empty: `Nothing is installed in ${installDir}.` })
      )
      const left = audited.filter(({ quarantinedTo, state }) => state === "remove" && quarantinedTo === null).length
      if (left > 0) return yield* refused(left)
      return undefined
    })
).pipe(Command.withDescription("Check installs against the market's advisories; exits with 1 if one must not be used"))
