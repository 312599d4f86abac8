import type { Approval } from "@agent-marketplace/client/wire/Endpoints"
import type { Marketplace } from "@agent-marketplace/client"
import type { CallOptions } from "@agent-marketplace/client/requests/Send"
import { Effect } from "effect"
import { Argument } from "effect/cli"
import { ask } from "../identity/session.ts"
import { report } from "../terminal/report.ts"
import { plain } from "../terminal/plain.ts"
import { usdt } from "../terminal/usdt.ts"

/** The approval that is decided. */
export const approvalArgument = Argument.String("approval").pipe(Argument.withDescription("An approval's id, apr_…"))

/** Carries out a decision and says what it was. */
export const decide = (call: (market: Marketplace, options: CallOptions) => Promise<Approval>) =>
  Effect.gen(function* () {
    const approval = yield* ask(call)
    const { amount, purchaseId, skill, status } = approval
    yield* report(approval, () => `${plain.line(skill.name)} for ${usdt(amount)} is ${status} (${purchaseId}).`)
  })
