import type { Agent } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { list } from "../terminal/list.ts"
import { pageFlags } from "../terminal/pageFlags.ts"
import { plain } from "../terminal/plain.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { when } from "../terminal/when.ts"
import { ask } from "./session.ts"

const columns: ReadonlyArray<Column<Agent>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name, yields: true },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) }
]

const create = Command.make(
  "create",
  { name: Argument.String("name").pipe(Argument.withDescription("What the agent is called")) },
  (input) =>
    Effect.gen(function* () {
      const agent = yield* ask((market, options) => market.agents.create(input, options))
      yield* report(agent, () => `${plain.line(agent.name)} is ${agent.id}.`)
    })
).pipe(Command.withDescription("Make an agent of the account; `keys create --agent` makes its key"))

const claim = Command.make(
  "claim",
  { claimCode: Argument.String("code").pipe(Argument.withDescription("What the agent's registration answered")) },
  (input) =>
    Effect.gen(function* () {
      const { agent } = yield* ask((market, options) => market.agents.claim(input, options))
      yield* report(agent, () => `${plain.line(agent.name)} (${agent.id}) is yours.`)
    })
).pipe(Command.withDescription("Become the owner of an agent that registered itself"))

export const agentsCommand = Command.make("agents", pageFlags, ({ limit, page }) =>
  Effect.gen(function* () {
    const found = yield* ask((market, options) => market.agents.list({ page, limit }, options))
    yield* report(found, (paper) => list(paper, { rows: found, columns, empty: "There is no agent." }))
  })
).pipe(Command.withDescription("List the account's agents"), Command.withSubcommands([create, claim]))
