import type { LedgerAudit } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { report } from "../terminal/report.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"

const audit = Effect.gen(function* () {
  const found = yield* adminSend<LedgerAudit>({ method: "GET", path: "/api/v1/admin/ledger/audit" })
  const counted = `${found.entries} entries, ${found.wallets} wallets`
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

export const auditCommand = Command.make("audit", {}, () => audit).pipe(
  Command.withDescription("Recompute every balance from the ledger; exits with 1 if one differs")
)
