import type { PolicyInput } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/usageFailure.ts"
import { ask } from "../identity/session.ts"
import { report } from "../terminal/report.ts"
import { agentFlag } from "./agentFlag.ts"
import { amountOf } from "./amountOf.ts"
import { policyFields } from "./policyFields.ts"

const amount = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(`${description}, in USDT, or "none"`), Flag.optional)

const names = (name: string, description: string, none: string) =>
  Flag.String(name).pipe(Flag.withDescription(`${description}, separated by commas, or "${none}"`), Flag.optional)

const flags = {
  autoApprove: Flag.Boolean("auto-approve").pipe(
    Flag.withDescription("Whether anything paid is bought without asking"),
    Flag.optional
  ),
  autoApproveThreshold: amount("auto-approve-threshold", "The highest price that is bought without asking"),
  perTransactionLimit: amount("per-transaction-limit", "The most that one purchase may cost"),
  dailyLimit: amount("daily-limit", "The most in any 24 hours"),
  weeklyLimit: amount("weekly-limit", "The most in any 7 days"),
  monthlyLimit: amount("monthly-limit", "The most in any 30 days"),
  allowedCategories: names("allowed-categories", "The only categories to buy from", "any"),
  blockedSellers: names("blocked-sellers", "Accounts never to buy from", "none"),
  reset: Flag.Boolean("reset").pipe(
    Flag.withoutNegation,
    Flag.withDescription("Begin with the default: no limits, nothing asked"),
    Flag.withDefault(false)
  ),
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

/** What is to be other than it is. */
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
    return changes as PolicyInput
  })

export const setPolicyCommand = Command.make("set", flags, (wanted) =>
  Effect.gen(function* () {
    const changes = yield* changesOf(wanted)
    if (!wanted.reset && Object.keys(changes).length === 0)
      return yield* usageFailure(
        "nothing to change was given",
        "`agent-marketplace wallet policy set --help` lists what can be."
      )
    const agent = Option.getOrUndefined(wanted.agent)
    const policy = yield* ask(async (market, options) => {
      const { get, set } =
        agent === undefined
          ? market.wallet.policy
          : {
              get: (call: typeof options) => market.agents.policy.get(agent, call),
              set: (input: PolicyInput, call: typeof options) => market.agents.policy.set(agent, input, call)
            }
      const present = wanted.reset ? {} : await get(options)
      return set({ ...present, ...changes }, options)
    })
    return yield* report(policy, (page) => policyFields(page, policy))
  })
).pipe(Command.withDescription("Change the named parts of the policy; the rest stays as it is"))
