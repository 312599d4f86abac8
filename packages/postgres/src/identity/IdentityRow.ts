import type { AccountId, AgentId, KeyId } from "@agent-marketplace/core/ids/Ids"
import type { Account, Tier } from "@agent-marketplace/core/identity/Account"
import type { Agent, AgentSource } from "@agent-marketplace/core/identity/Agent"
import type { ApiKey, Scope } from "@agent-marketplace/core/identity/ApiKey"
import type { Freeze } from "@agent-marketplace/core/identity/Freeze"
import type { Quotas } from "@agent-marketplace/core/identity/Quotas"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { keyScopeOf } from "@agent-marketplace/core/oauth/OauthScope"
import type { OauthScope } from "@agent-marketplace/core/oauth/OauthScope"
import type { Row } from "../Columns.ts"
import { column, recordColumns } from "../RecordColumns.ts"
import type { Time } from "../Row.ts"
import { nullableTime, time } from "../Row.ts"

/** The columns that a new account sets. */
export const accountColumns = "id, name, email, seller, tier, hourly_limit, created_at"

const frozenColumns = "frozen_at, frozen_reason"

export interface FrozenColumns {
  readonly frozen_at: Time | null
  readonly frozen_reason: string | null
}

export const freezeOf = ({ frozen_at, frozen_reason }: FrozenColumns): Freeze | null =>
  frozen_at === null ? null : { since: time(frozen_at), reason: frozen_reason }

export const readAccount = `${accountColumns}, quotas, operator, ${frozenColumns}`

export interface AccountRow extends FrozenColumns {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly seller: boolean
  readonly tier: string
  readonly hourly_limit: number | null
  readonly quotas: Quotas
  readonly operator: boolean
  readonly created_at: Time
}

/** The columns that a new agent sets. */
export const agentColumns = "id, name, owner_id, created_at, source"

export const readAgent = `${agentColumns}, retired_at, ${frozenColumns}`

export interface AgentRow extends FrozenColumns {
  readonly id: string
  readonly name: string
  readonly owner_id: string | null
  readonly retired_at: Time | null
  readonly created_at: Time
  readonly source: AgentSource
}

const keyRecord = recordColumns<ApiKey>({
  id: column.id<KeyId>(),
  accountId: column.orNull(column.id<AccountId>()),
  agentId: column.orNull(column.id<AgentId>()),
  name: column.text,
  scope: column.oneOf<Scope>({ READ: true, BUYER: true, SELLER: true, FULL: true }),
  prefix: column.text,
  hash: column.text,
  status: column.oneOf<ApiKey["status"]>({ active: true, deactivated: true }),
  expiresAt: column.orNull(column.time),
  rotatedFrom: column.orNull(column.id<KeyId>()),
  familyId: column.id<KeyId>(),
  familyEndsAt: column.orNull(column.time),
  lastUsedAt: column.orNull(column.time),
  createdAt: column.time
})

export const keyOf: (row: Row) => ApiKey = keyRecord.read

/** `insertKey` takes the values in this order. */
export const keyColumns = Object.keys(keyRecord.columns).join(", ")

export interface CallerRow {
  readonly id: string
  readonly scope: string
  readonly agent_id: string | null
  readonly account_id: string | null
  readonly expires_at: Time | null
  readonly account_name: string | null
  readonly seller: boolean | null
  readonly tier: string | null
  readonly hourly_limit: number | null
  readonly frozen_at: Time | null
  readonly frozen_reason: string | null
  readonly agent_frozen_at: Time | null
  readonly agent_frozen_reason: string | null
}

/** A caller with an access token: the key of its grant, with the token's own scopes and end. */
export interface TokenCallerRow extends Omit<CallerRow, "scope"> {
  readonly scopes: ReadonlyArray<OauthScope>
  readonly resource: string
}

export const accountOf = (row: AccountRow): Account => ({
  id: row.id as AccountId,
  name: row.name,
  email: row.email,
  seller: row.seller,
  tier: row.tier as Tier,
  hourlyLimit: row.hourly_limit,
  quotas: row.quotas,
  operator: row.operator,
  createdAt: time(row.created_at),
  frozen: freezeOf(row)
})

export const agentOf = (row: AgentRow): Agent => ({
  id: row.id as AgentId,
  name: row.name,
  ownerId: row.owner_id as AccountId | null,
  source: row.source,
  retiredAt: nullableTime(row.retired_at),
  createdAt: time(row.created_at),
  frozen: freezeOf(row)
})

export const callerOf = (row: CallerRow): Caller => ({
  keyId: row.id as KeyId,
  scope: row.scope as Scope,
  agentId: row.agent_id as AgentId | null,
  accountId: row.account_id as AccountId | null,
  accountName: row.account_name,
  seller: row.seller ?? false,
  tier: (row.tier ?? "free") as Tier,
  hourlyLimit: row.hourly_limit,
  expiresAt: nullableTime(row.expires_at),
  frozen: freezeOf(row),
  agentFrozen: freezeOf({ frozen_at: row.agent_frozen_at, frozen_reason: row.agent_frozen_reason })
})

export const tokenCallerOf = ({ resource, scopes, ...row }: TokenCallerRow): Caller => ({
  ...callerOf({ ...row, scope: keyScopeOf(scopes) }),
  token: { scopes, resource }
})
