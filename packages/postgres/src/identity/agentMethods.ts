import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { Agent } from "@agent-marketplace/core/identity/Agent"
import type { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Option } from "effect"
import type { Database } from "../Database.ts"
import { appendEvents } from "../events/appendEvents.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import type { IdentityChanges, Say } from "./IdentityChanges.ts"
import type { AgentRow } from "./IdentityRow.ts"
import { agentColumns, agentOf, readAgent } from "./IdentityRow.ts"
import { insertKey, keyParameters } from "./keyStatements.ts"

const create = `
  INSERT INTO agents (${agentColumns}, claim_code_hash) VALUES ($1::text, $2::text, $3::text, $4::timestamptz, $5::text)`

const find = `SELECT ${readAgent} FROM agents WHERE id = $1::text`

const list = pageQuery(readAgent, "agents", "owner_id = $3::text", "created_at DESC, id DESC")

const claim = `
  UPDATE agents SET owner_id = $2::text, claim_code_hash = NULL WHERE claim_code_hash = $1::text AND owner_id IS NULL
  RETURNING ${readAgent}`

/** In the order of their ids, as whoever notes their use locks them. */
const claimKeys = `
  WITH locked AS MATERIALIZED (SELECT id FROM api_keys WHERE agent_id = $1::text ORDER BY id FOR NO KEY UPDATE)
  UPDATE api_keys SET account_id = $2::text FROM locked WHERE api_keys.id = locked.id`

const registered = (agent: Agent): MarketEvent => ({
  type: "agent.registered",
  at: agent.createdAt,
  subject: agent.id,
  accounts: [],
  data: { agentId: agent.id }
})

type Methods = Pick<IdentityStore["Service"], "createAgent" | "claimAgent" | "findAgent" | "listAgents">

export const agentMethods = (
  { read, sql, transaction }: Database["Service"],
  { announcing }: IdentityChanges,
  happened: () => void
): Methods => {
  const claimed = Effect.fnUntraced(function* (say: Say, claimCodeHash: string, owner: AccountId) {
    const [row] = yield* sql.unsafe<AgentRow>(claim, [claimCodeHash, owner])
    if (row === undefined) return Option.none<Agent>()
    // In a statement of its own, so that it sees keys that were made until the agent was locked.
    yield* sql.unsafe(claimKeys, [row.id, owner])
    yield* say(row.id)
    return Option.some(agentOf(row))
  })

  return {
    createAgent: Effect.fn("IdentityStore.createAgent")(function* (agent, key, claimCodeHash) {
      const { createdAt, id, name, ownerId } = agent
      const created = Effect.gen(function* () {
        yield* sql.unsafe(create, [id, name, ownerId, date(createdAt), claimCodeHash])
        if (key !== null) yield* sql.unsafe(insertKey(1), keyParameters(key))
        yield* appendEvents(sql, [registered(agent)])
      })
      yield* transaction(created)
      happened()
    }),

    claimAgent: (claimCodeHash, owner) => announcing((say) => transaction(claimed(say, claimCodeHash, owner))),

    findAgent: (id) =>
      Effect.map(read<AgentRow>(find, [id]), ([row]) => Option.map(Option.fromUndefinedOr(row), agentOf)),

    listAgents: (owner, page) =>
      Effect.map(read<AgentRow & PageRow>(list, [...pageParameters(page), owner]), (rows) => pageOf(rows, agentOf))
  }
}
