import type { LedgerAudit } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { report } from "../terminal/report.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"

const audit = Effect.fnUntraced(function* (sinceCheckpoint: boolean) {
  const query = sinceCheckpoint ? "?since=checkpoint" : ""
  const found = yield* adminSend<LedgerAudit>({ method: "GET", path: `/api/v1/admin/ledger/audit${query}` })
  const read = found.since === null ? "" : `, ${found.entriesRead} of them read, since ${found.since}`
  const counted = `${found.entries} entries${read}, ${found.wallets} wallets`
  yield* report(found, () =>
    [
      `${found.balanced ? "balanced" : "NOT BALANCED"}: ${counted}`,
      ...found.differences.map(plain.line),
      ...found.warnings.map((text) => `warning: ${plain.line(text)}`)
    ].join("\n")
  )
  if (!found.balanced)
    return yield* new CommandFailure({
      code: "LEDGER_NOT_BALANCED",
      message: `the ledger is not balanced: ${found.differences.length} differences`,
      exitCode: exitCodes.failure
    })
  return undefined
})

const sinceCheckpoint = Flag.Boolean("since-checkpoint").pipe(
  Flag.withDescription("Read only the entries since the last such audit that was balanced"),
  Flag.withDefault(false)
)

export const auditCommand = Command.make("audit", { sinceCheckpoint }, (flags) => audit(flags.sinceCheckpoint)).pipe(
  Command.withDescription("Recompute every balance from the ledger; exits with 1 if one differs")
)
