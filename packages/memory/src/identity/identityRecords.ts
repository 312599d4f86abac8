import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { Agent } from "@agent-marketplace/core/identity/Agent"
import type { ApiKey } from "@agent-marketplace/core/identity/ApiKey"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"

export const writeKey = (tables: MarketTables, key: ApiKey): void => {
  tables.keys.set(key.id, key)
  tables.keysByHash.set(key.hash, key.id)
  if (key.accountId !== null) Index.add(tables.keysOf, key.accountId, key.id)
  if (key.agentId !== null) Index.add(tables.keysOfAgent, key.agentId, key.id)
}

export const writeAgent = (tables: MarketTables, agent: Agent): void => {
  tables.agents.set(agent.id, agent)
  if (agent.ownerId !== null) Index.add(tables.agentsOf, agent.ownerId, agent.id)
}

export const registered = (agent: Agent): MarketEvent => ({
  type: "agent.registered",
  at: agent.createdAt,
  subject: agent.id,
  accounts: [],
  data: { agentId: agent.id }
})
