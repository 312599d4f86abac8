import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { findItem, itemArguments } from "../listings/findItem.ts"
import { report } from "../terminal/report.ts"

const reason = Flag.Literals("reason", ["malware", "prompt_injection", "copy", "spam", "illegal", "other"]).pipe(
  Flag.withDescription("Why it should not be sold")
)

const text = Flag.String("text").pipe(Flag.withDescription("What is wrong, and where; the creator does not see it"))

export const reportCommand = Command.make("report", { ...itemArguments, reason, text }, (input) =>
  Effect.gen(function* () {
    const { id } = yield* findItem(input.item, Option.getOrUndefined(input.type))
    const draft = { reason: input.reason, text: input.text }
    const made = yield* callMarket((market, options) => market.items.report(id, draft, options))
    yield* report(made, () => `${made.itemId} is reported (${made.id}).`)
  })
).pipe(Command.withDescription("Report a skill or a SOUL to the market's operator"))
