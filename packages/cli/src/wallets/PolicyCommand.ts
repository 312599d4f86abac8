import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { report } from "../terminal/report.ts"
import { policyFields } from "./policyFields.ts"
import { setPolicyCommand } from "./SetPolicyCommand.ts"
import { agentFlag } from "./agentFlag.ts"

const get = Command.make("get", { agent: agentFlag }, (wanted) =>
  Effect.gen(function* () {
    const agent = Option.getOrUndefined(wanted.agent)
    const policy = yield* ask((market, options) =>
      agent === undefined ? market.wallet.policy.get(options) : market.agents.policy.get(agent, options)
    )
    yield* report(policy, (page) => policyFields(page, policy))
  })
).pipe(Command.withDescription("Show what may be spent, and what of it without asking"))

export const policyCommand = Command.make("policy").pipe(
  Command.withDescription("The owner's spending policy, or an agent's"),
  Command.withSubcommands([get, setPolicyCommand])
)
