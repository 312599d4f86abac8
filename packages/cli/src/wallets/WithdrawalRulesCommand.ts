import type { WithdrawalRules, WithdrawalRulesPatch } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import type { Page } from "../terminal/CliContext.ts"
import { amountOf, usdt, when } from "../terminal/format.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"
import { optionalText } from "../terminal/optionalText.ts"

type Rules = Partial<Omit<WithdrawalRules, "pending">>

const limitOf = (limit: number | null) => (limit === null ? "none" : usdt(limit))

const shown = ({ allowListOnly, dailyLimit, newAddressDelayHours }: Rules) =>
  [
    ["only the address book", allowListOnly === undefined ? undefined : allowListOnly ? "yes" : "no"],
    ["new addresses wait", newAddressDelayHours === undefined ? undefined : `${newAddressDelayHours} hours`],
    ["24 hours", dailyLimit === undefined ? undefined : limitOf(dailyLimit)]
  ] as const

const ruleFields = (page: Page, rules: WithdrawalRules): string => {
  const inEffect = fields(page, shown(rules))
  if (rules.pending === null) return inEffect
  return `${inEffect}\n\nFrom ${when(rules.pending.effectiveAt)} on:\n${fields(page, shown(rules.pending))}`
}

const flags = {
  allowListOnly: Flag.Boolean("allow-list-only").pipe(
    Flag.withDescription("Whether only addresses of the address book are paid"),
    Flag.optional
  ),
  newAddressDelayHours: Flag.Int("new-address-delay-hours").pipe(
    Flag.withDescription("For how many hours an address must be in the address book before it is paid"),
    Flag.optional
  ),
  dailyLimit: optionalText("daily-limit", 'The most in any 24 hours, in USDT, or "none"')
}

const set = Command.make("set", flags, ({ allowListOnly, dailyLimit, newAddressDelayHours }) =>
  Effect.gen(function* () {
    const limit = Option.getOrUndefined(dailyLimit)
    const changes: WithdrawalRulesPatch = {
      ...(Option.isNone(allowListOnly) ? {} : { allowListOnly: allowListOnly.value }),
      ...(Option.isNone(newAddressDelayHours) ? {} : { newAddressDelayHours: newAddressDelayHours.value }),
      ...(limit === undefined ? {} : { dailyLimit: limit === "none" ? null : yield* amountOf("--daily-limit", limit) })
    }
    if (Object.keys(changes).length === 0)
      return yield* usageFailure(
        "no change was specified",
        "`agent-marketplace wallet withdrawal-rules set --help` lists the rules."
      )
    const rules = yield* callMarket((market, options) => market.wallet.withdrawalRules.change(changes, options))
    return yield* report(rules, (page) => ruleFields(page, rules))
  })
).pipe(Command.withDescription("Change the given rules: tighter ones at once, looser ones after 24 hours"))

export const withdrawalRulesCommand = Command.make("withdrawal-rules", {}, () =>
  callAndReport((market, options) => market.wallet.withdrawalRules.get(options), ruleFields)
).pipe(
  Command.withDescription("Show the rules for withdrawals, and those that are pending"),
  Command.withSubcommands([set])
)
