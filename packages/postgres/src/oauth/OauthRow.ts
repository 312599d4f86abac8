import type { AccountId, AgentId, GrantId, KeyId, OauthRequestId } from "@agent-marketplace/core/ids/Ids"
import type { AuthorizationRequest } from "@agent-marketplace/core/oauth/AuthorizationRequest"
import type { ClientAuthMethod, GrantType, OauthClient } from "@agent-marketplace/core/oauth/OauthClient"
import type { OauthGrant } from "@agent-marketplace/core/oauth/OauthGrant"
import type { OauthScope } from "@agent-marketplace/core/oauth/OauthScope"
import type { OauthToken } from "@agent-marketplace/core/oauth/OauthToken"
import { column, recordColumns } from "../RecordColumns.ts"

const scopes = column.list<OauthScope>()

export const clientRecord = recordColumns<OauthClient>({
  id: column.text,
  ownerId: column.orNull(column.id<AccountId>()),
  name: column.text,
  redirectUris: column.list<string>(),
  grantTypes: column.list<GrantType>(),
  authMethod: column.oneOf<ClientAuthMethod>({ none: true, client_secret_basic: true, client_secret_post: true }),
  secretHash: column.orNull(column.text),
  scopes,
  createdAt: column.time
})

export const grantRecord = recordColumns<OauthGrant>({
  id: column.id<GrantId>(),
  accountId: column.id<AccountId>(),
  agentId: column.id<AgentId>(),
  keyId: column.id<KeyId>(),
  clientId: column.text,
  clientName: column.text,
  forClient: column.flag,
  scopes,
  createdAt: column.time
})

export const requestRecord = recordColumns<AuthorizationRequest>({
  id: column.id<OauthRequestId>(),
  clientId: column.text,
  clientName: column.text,
  redirectUri: column.orNull(column.text),
  state: column.orNull(column.text),
  codeChallenge: column.orNull(column.text),
  scopes,
  resource: column.text,
  refreshable: column.flag,
  userCodeHash: column.orNull(column.text),
  codeHash: column.orNull(column.text),
  codeExpiresAt: column.orNull(column.time),
  decision: column.oneOf<AuthorizationRequest["decision"]>({ pending: true, approved: true, denied: true }),
  grantId: column.orNull(column.id<GrantId>()),
  redeemedAt: column.orNull(column.time),
  createdAt: column.time,
  expiresAt: column.time
})

export const tokenRecord = recordColumns<OauthToken>({
  hash: column.text,
  kind: column.oneOf<OauthToken["kind"]>({ access: true, refresh: true }),
  grantId: column.id<GrantId>(),
  scopes,
  resource: column.text,
  createdAt: column.time,
  expiresAt: column.time,
  usedAt: column.orNull(column.time)
})

/** Inserts one record, whose JSON is the first parameter. */
export const insertInto = (table: string, columns: object): string => {
  const names = Object.keys(columns).join(", ")
  return `INSERT INTO ${table} (${names}) SELECT ${names} FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`
}
