import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AuthorizationRequest } from "@agent-marketplace/core/oauth/AuthorizationRequest"
import type { OauthClient as CoreClient } from "@agent-marketplace/core/oauth/OauthClient"
import type { RegisteredClient } from "@agent-marketplace/core/oauth/OauthClients"
import type { LiveGrant } from "@agent-marketplace/core/oauth/OauthGrant"
import { RedirectUri } from "@agent-marketplace/core/oauth/RedirectUri"
import type { Decision, Grant, OauthClient, OauthRequest, RegisteredOauthClient } from "./OauthSchemas.ts"

export const toClient = (client: CoreClient): typeof OauthClient.Type => ({
  client_id: client.id,
  client_name: client.name,
  redirect_uris: client.redirectUris,
  grant_types: client.grantTypes,
  token_endpoint_auth_method: client.authMethod,
  scope: client.scopes.join(" "),
  client_id_issued_at: Math.floor(client.createdAt / Timestamp.second)
})

/** With the secret: for the one response that shows it. */
export const toRegisteredClient = ({ client, secret }: RegisteredClient): typeof RegisteredOauthClient.Type => ({
  ...toClient(client),
  ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 })
})

export const toGrant = (grant: LiveGrant): typeof Grant.Type => ({
  id: grant.id,
  agentId: grant.agentId,
  client: { id: grant.clientId, name: grant.clientName },
  scopes: grant.scopes,
  createdAt: Timestamp.toIso(grant.createdAt),
  lastUsedAt: grant.lastUsedAt === null ? null : Timestamp.toIso(grant.lastUsedAt)
})

export const toRequest = (request: AuthorizationRequest): typeof OauthRequest.Type => ({
  id: request.id,
  client: {
    id: request.clientId,
    name: request.clientName,
    redirectHost: request.redirectUri === null ? null : RedirectUri.hostOf(request.redirectUri)
  },
  scopes: request.scopes,
  resource: request.resource,
  expiresAt: Timestamp.toIso(request.expiresAt)
})

export const toDecision = (redirectTo: string | null): typeof Decision.Type => ({ redirectTo })
