import type { Budget, Policy, PolicyInput, PolicyPatch } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import type { Page } from "../terminal/CliContext.ts"
import { amountOf, usdt } from "../terminal/format.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { switchFlag } from "../terminal/switchFlag.ts"

/** An agent's policy instead of the owner's. */
const agentFlag = optionalText("agent", "The agent with this id, instead of the owner")

const limit = (amount: number | null): string => (amount === null ? "none" : usdt(amount))

const approval = ({ autoApprove, autoApproveThreshold }: Policy): string => {
  if (!autoApprove) return "never: every paid purchase needs approval"
  return autoApproveThreshold === null ? "always" : `up to ${usdt(autoApproveThreshold)}`
}

/** The fields of a policy. */
const policyFields = (page: Page, policy: Policy): string =>
  fields(page, [
    ["auto-approve", approval(policy)],
    ["per purchase", limit(policy.perTransactionLimit)],
    ["24 hours", limit(policy.dailyLimit)],
    ["7 days", limit(policy.weeklyLimit)],
    ["30 days", limit(policy.monthlyLimit)],
    ["categories", policy.allowedCategories?.join(", ") ?? "any"],
    ["blocked sellers", policy.blockedSellers?.join(", ") ?? "none"]
  ])

const amount = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(`${description}, in USDT, or "none"`), Flag.optional)

const names = (name: string, description: string, none: string) =>
  Flag.String(name).pipe(Flag.withDescription(`${description}, separated by commas, or "${none}"`), Flag.optional)

const flags = {
  autoApprove: Flag.Boolean("auto-approve").pipe(
    Flag.withDescription("Whether paid purchases need no approval"),
    Flag.optional
  ),
  autoApproveThreshold: amount("auto-approve-threshold", "The highest price that needs no approval"),
  perTransactionLimit: amount("per-transaction-limit", "The most that one purchase may cost"),
  dailyLimit: amount("daily-limit", "The most in any 24 hours"),
  weeklyLimit: amount("weekly-limit", "The most in any 7 days"),
  monthlyLimit: amount("monthly-limit", "The most in any 30 days"),
  allowedCategories: names("allowed-categories", "The only categories to buy from", "any"),
  blockedSellers: names("blocked-sellers", "Accounts never to buy from", "none"),
  reset: switchFlag("reset", "Reset to the default first: no limits, no approvals"),
  agent: agentFlag
}

type Wanted = Command.Command.Config.Infer<typeof flags>

const amountNames = {
  autoApproveThreshold: "--auto-approve-threshold",
  perTransactionLimit: "--per-transaction-limit",
  dailyLimit: "--daily-limit",
  weeklyLimit: "--weekly-limit",
  monthlyLimit: "--monthly-limit"
} as const

const listOf = (text: string, none: string): ReadonlyArray<string> | null =>
  text === none
    ? null
    : text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "")

/** The fields to change. */
const changesOf = (wanted: Wanted) =>
  Effect.gen(function* () {
    const changes: Record<string, unknown> = {}
    for (const [field, flag] of Object.entries(amountNames)) {
      const given = Option.getOrUndefined(wanted[field as keyof typeof amountNames])
      if (given !== undefined) changes[field] = given === "none" ? null : yield* amountOf(flag, given)
    }
    if (Option.isSome(wanted.autoApprove)) changes["autoApprove"] = wanted.autoApprove.value
    if (Option.isSome(wanted.allowedCategories))
      changes["allowedCategories"] = listOf(wanted.allowedCategories.value, "any")
    if (Option.isSome(wanted.blockedSellers)) changes["blockedSellers"] = listOf(wanted.blockedSellers.value, "none")
    return changes as PolicyPatch
  })

/** The policy of an account that never set one. */
const unlimited: PolicyInput = {
  autoApprove: true,
  autoApproveThreshold: null,
  perTransactionLimit: null,
  dailyLimit: null,
  weeklyLimit: null,
  monthlyLimit: null,
  allowedCategories: null,
  blockedSellers: null
}

const setPolicyCommand = Command.make("set", flags, (wanted) =>
  Effect.gen(function* () {
    const changes = yield* changesOf(wanted)
    if (!wanted.reset && Object.keys(changes).length === 0)
      return yield* usageFailure(
        "no change was specified",
        "`agent-marketplace wallet policy set --help` lists the fields."
      )
    const agent = Option.getOrUndefined(wanted.agent)
    const policy = yield* callMarket(async (market, options) => {
      if (wanted.reset) {
        const policy = { ...unlimited, ...changes } as PolicyInput
        return agent === undefined
          ? market.wallet.policy.set(policy, options)
          : market.agents.policy.set(agent, policy, options)
      }
      return agent === undefined
        ? market.wallet.policy.change(changes, options)
        : market.agents.policy.change(agent, changes, options)
    })
    return yield* report(policy, (page) => policyFields(page, policy))
  })
).pipe(Command.withDescription("Change the given fields of the policy; the others are kept"))

const get = Command.make("get", { agent: agentFlag }, (wanted) =>
  Effect.gen(function* () {
    const agent = Option.getOrUndefined(wanted.agent)
    const policy = yield* callMarket((market, options) =>
      agent === undefined ? market.wallet.policy.get(options) : market.agents.policy.get(agent, options)
    )
    yield* report(policy, (page) => policyFields(page, policy))
  })
).pipe(Command.withDescription("Show the spending policy"))

const windowText = (window: Budget["daily"]): string =>
  window === null
    ? "no limit"
    : `${usdt(window.remaining)} of ${usdt(window.limit)} left, ${usdt(window.spent)} spent or reserved`

const approvalText = (threshold: number | null): string => {
  if (threshold === null) return "never needed"
  return threshold === 0 ? "every paid purchase" : `above ${usdt(threshold)}`
}

export const budgetCommand = Command.make("budget", { agent: agentFlag }, (wanted) =>
  Effect.gen(function* () {
    const agent = Option.getOrUndefined(wanted.agent)
    const budget = yield* callMarket((market, options) =>
      agent === undefined ? market.wallet.budget(options) : market.agents.budget(agent, options)
    )
    yield* report(budget, (page) =>
      fields(page, [
        ["24 hours", windowText(budget.daily)],
        ["7 days", windowText(budget.weekly)],
        ["30 days", windowText(budget.monthly)],
        ["per purchase", budget.perTransaction === null ? "no limit" : usdt(budget.perTransaction)],
        ["approval", approvalText(budget.autoApproveThreshold)]
      ])
    )
  })
).pipe(Command.withDescription("Show the rules in effect and what is left of each limit"))

export const policyCommand = Command.make("policy").pipe(
  Command.withDescription("The owner's spending policy, or an agent's"),
  Command.withSubcommands([get, setPolicyCommand])
)
