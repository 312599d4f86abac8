import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { OauthGrant } from "@agent-marketplace/core/oauth/OauthGrant"
import type { MemoryMarket } from "../MemoryMarket.ts"
import type { MarketTables } from "../MarketTables.ts"

export const isLive = (tables: MarketTables, { keyId }: OauthGrant): boolean =>
  tables.keys.get(keyId)?.status === "active"

/** Ends the grant as retiring its agent would; part of a step. */
export const endGrant = (
  { announce, tables }: Pick<MemoryMarket["Service"], "announce" | "tables">,
  grant: OauthGrant,
  at: Timestamp
): void => {
  const key = tables.keys.get(grant.keyId)
  const agent = tables.agents.get(grant.agentId)
  if (key !== undefined) tables.keys.set(key.id, { ...key, status: "deactivated" })
  if (agent !== undefined) tables.agents.set(agent.id, { ...agent, retiredAt: agent.retiredAt ?? at })
  for (const each of tables.keysOfAgent.get(grant.agentId) ?? []) {
    const other = tables.keys.get(each)
    if (other !== undefined) tables.keys.set(each, { ...other, status: "deactivated" })
  }
  announce(grant.agentId)
}

/** Deletes the clients that the account registered; part of a step that ends the account's keys. */
export const dropClients = (tables: MarketTables, owner: AccountId): void => {
  for (const [id, client] of tables.oauthClients) if (client.ownerId === owner) tables.oauthClients.delete(id)
}
