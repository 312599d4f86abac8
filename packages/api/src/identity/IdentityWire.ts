import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Account as CoreAccount } from "@agent-marketplace/core/identity/Account"
import type { Agent as CoreAgent } from "@agent-marketplace/core/identity/Agent"
import { rotationDueAt } from "@agent-marketplace/core/identity/ApiKey"
import type { Freeze } from "@agent-marketplace/core/identity/Freeze"
import type { ApiKey } from "@agent-marketplace/core/identity/ApiKey"
import type { IssuedKey as CoreIssuedKey } from "@agent-marketplace/core/identity/makeKeys"
import type { Account, AdminAccount, Agent, IssuedKey, Key } from "./IdentitySchemas.ts"

const isoOrNull = (time: Timestamp | null): string | null => (time === null ? null : Timestamp.toIso(time))

const frozenFields = (frozen: Freeze | null) => ({
  frozenAt: isoOrNull(frozen?.since ?? null),
  frozenReason: frozen?.reason ?? null
})

/** The response body of ACCOUNT-2. */
export const toAccount = (account: CoreAccount): typeof Account.Type => ({
  id: account.id,
  name: account.name,
  email: account.email,
  seller: account.seller,
  tier: account.tier,
  createdAt: Timestamp.toIso(account.createdAt)
})

/** The response body of OPERATOR-5. */
export const toAdminAccount = (account: CoreAccount): typeof AdminAccount.Type => ({
  ...toAccount(account),
  hourlyLimit: account.hourlyLimit,
  quotas: account.quotas,
  operator: account.operator,
  ...frozenFields(account.frozen)
})

export const toAgent = (agent: CoreAgent): typeof Agent.Type => ({
  id: agent.id,
  name: agent.name,
  claimed: agent.ownerId !== null,
  source: agent.source,
  createdAt: Timestamp.toIso(agent.createdAt),
  ...frozenFields(agent.frozen),
  retiredAt: isoOrNull(agent.retiredAt)
})

/** Without the secret and its hash. */
export const toKey = (key: ApiKey): typeof Key.Type => ({
  id: key.id,
  name: key.name,
  scope: key.scope,
  prefix: key.prefix,
  status: key.status,
  agentId: key.agentId,
  expiresAt: isoOrNull(key.expiresAt),
  lastUsedAt: isoOrNull(key.lastUsedAt),
  createdAt: Timestamp.toIso(key.createdAt),
  rotatedFrom: key.rotatedFrom,
  rotationDueAt: Timestamp.toIso(rotationDueAt(key))
})

/** With the secret: for the one response that shows it. */
export const toIssuedKey = ({ key, token }: CoreIssuedKey): typeof IssuedKey.Type => ({ ...toKey(key), key: token })
