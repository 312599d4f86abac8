import type { Agent } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { callMarket } from "./session.ts"

const columns: ReadonlyArray<Column<Agent>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name, yields: true },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) }
]

const create = Command.make(
  "create",
  { name: Argument.String("name").pipe(Argument.withDescription("The agent's name")) },
  (input) =>
    Effect.gen(function* () {
      const agent = yield* callMarket((market, options) => market.agents.create(input, options))
      yield* report(agent, () => `${plain.line(agent.name)} is ${agent.id}.`)
    })
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

export const agentsCommand = Command.make("agents", pageFlags, ({ limit, page }) =>
  Effect.gen(function* () {
    const found = yield* callMarket((market, options) => market.agents.list({ page, limit }, options))
    yield* report(found, (paper) => list(paper, { rows: found, columns, empty: "No agents." }))
  })
).pipe(Command.withDescription("List the account's agents"), Command.withSubcommands([create, claim]))
