import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"
import type { ApiKey } from "./ApiKey.ts"
import { rotationDueAt } from "./ApiKey.ts"
import type { Freeze } from "./Freeze.ts"

/** An owner's agent was frozen. */
export const agentFrozen = (
  agent: { readonly id: AgentId; readonly ownerId: AccountId; readonly name: string },
  { reason, since }: Freeze
): MarketEvent => ({
  type: "agent.frozen",
  at: since,
  subject: agent.id,
  accounts: [agent.ownerId],
  data: { agentId: agent.id, name: agent.name, reason, frozenAt: Time.toIso(since) }
})

/** A key has been in use for its whole rotation period (KEY-11). */
export const rotationDue = (
  key: Pick<ApiKey, "accountId" | "agentId" | "createdAt" | "id" | "name" | "prefix">,
  at: Timestamp
): MarketEvent => ({
  type: "key.rotation_due",
  at,
  subject: key.id,
  accounts: key.accountId === null ? [] : [key.accountId],
  data: {
    keyId: key.id,
    name: key.name,
    prefix: key.prefix,
    agentId: key.agentId,
    rotationDueAt: Time.toIso(rotationDueAt(key))
  }
})
