import type { Agent } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import type { Page } from "../terminal/CliContext.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { fields } from "../terminal/table.ts"
import { when } from "../terminal/format.ts"
import { listOf, pageFlags } from "../terminal/list.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { callMarket } from "./session.ts"
import { optionalText } from "../terminal/optionalText.ts"

const status = (frozenAt: string | null, retiredAt: string | null): string => {
  if (retiredAt !== null) return "retired"
  return frozenAt === null ? "active" : "frozen"
}

const columns: ReadonlyArray<Column<Agent>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name, yields: true },
  { title: "STATUS", value: ({ frozenAt, retiredAt }) => status(frozenAt, retiredAt) },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) }
]

const create = Command.make(
  "create",
  { name: Argument.String("name").pipe(Argument.withDescription("The agent's name")) },
  (input) =>
    callAndReport(
      (market, options) => market.agents.create(input, options),
      (_, agent) => `${plain.line(agent.name)} is ${agent.id}.`
    )
).pipe(Command.withDescription("Create an agent of the account; `keys create --agent` creates its key"))

const claim = Command.make(
  "claim",
  { claimCode: Argument.String("code").pipe(Argument.withDescription("The claim code from the agent's registration")) },
  (input) =>
    Effect.gen(function* () {
      const { agent } = yield* callMarket((market, options) => market.agents.claim(input, options))
      yield* report(agent, () => `${plain.line(agent.name)} (${agent.id}) is now yours.`)
    })
).pipe(Command.withDescription("Become the owner of an agent that registered itself"))

const id = Argument.String("agent").pipe(Argument.withDescription("An agent's id, agt_…"))

const agentFields = (page: Page, agent: Agent): string =>
  fields(page, [
    ["agent", agent.id],
    ["name", agent.name],
    ["status", status(agent.frozenAt, agent.retiredAt)],
    ["frozen since", when(agent.frozenAt)],
    ["reason", agent.frozenReason],
    ["since", when(agent.createdAt)]
  ])

const show = Command.make("show", { id }, ({ id }) =>
  callAndReport((market, options) => market.agents.get(id, options), agentFields)
).pipe(Command.withDescription("Show an agent"))

const rename = Command.make(
  "rename",
  { id, name: Argument.String("name").pipe(Argument.withDescription("Its new name")) },
  ({ id, name }) => callAndReport((market, options) => market.agents.rename(id, { name }, options), agentFields)
).pipe(Command.withDescription("Rename an agent"))

const freeze = Command.make(
  "freeze",
  { id, reason: optionalText("reason", "Why, for your own records") },
  ({ id, reason }) =>
    callAndReport(
      (market, options) => market.agents.freeze(id, { reason: Option.getOrUndefined(reason) }, options),
      agentFields
    )
).pipe(Command.withDescription("Refuse every write of an agent's keys immediately, and reject its pending approvals"))

const unfreeze = Command.make("unfreeze", { id }, ({ id }) =>
  callAndReport((market, options) => market.agents.unfreeze(id, options), agentFields)
).pipe(Command.withDescription("Unfreeze an agent"))

const retire = Command.make("retire", { id, yes: yesFlag }, ({ id, yes }) =>
  Effect.gen(function* () {
    yield* confirm(`Retire ${id} permanently? Its keys are deactivated and its pending approvals are rejected.`, yes)
    const retired = yield* callMarket((market, options) => market.agents.retire(id, options))
    yield* report(retired, () => `${retired.id} is retired.`)
  })
).pipe(Command.withDescription("Deactivate an agent's keys permanently; its records are kept"))

export const agentsCommand = Command.make("agents", pageFlags, (page) =>
  callAndReport((market, options) => market.agents.list(page, options), listOf(columns, "No agents."))
).pipe(
  Command.withDescription("List the account's agents"),
  Command.withSubcommands([show, create, claim, rename, freeze, unfreeze, retire])
)
