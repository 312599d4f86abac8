import { clientAuthMethods, grantTypes } from "@agent-marketplace/core/oauth/OauthClient"
import { oauthScopes } from "@agent-marketplace/core/oauth/OauthScope"

/** The paths of OAuth's own endpoints, below the market's address. */
export const oauthPaths = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  device: "/oauth/device_authorization",
  revoke: "/oauth/revoke",
  introspect: "/oauth/introspect",
  register: "/oauth/register",
  /** The page on which people decide about a request. */
  consent: "/oauth/consent",
  /** The page where people type the code of a device. */
  code: "/oauth/code",
  /** Where people sign in before they decide. */
  signIn: "/oauth/sign-in"
} as const

/** The metadata of the authorization server (RFC 8414, OAUTH-1). */
export const serverMetadata = (issuer: string, openRegistration: boolean) => ({
  issuer,
  authorization_endpoint: issuer + oauthPaths.authorize,
  token_endpoint: issuer + oauthPaths.token,
  device_authorization_endpoint: issuer + oauthPaths.device,
  revocation_endpoint: issuer + oauthPaths.revoke,
  introspection_endpoint: issuer + oauthPaths.introspect,
  ...(openRegistration ? { registration_endpoint: issuer + oauthPaths.register } : {}),
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: grantTypes,
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: clientAuthMethods,
  revocation_endpoint_auth_methods_supported: clientAuthMethods,
  introspection_endpoint_auth_methods_supported: clientAuthMethods,
  scopes_supported: oauthScopes,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${issuer}/docs`
})

/** The metadata of the resource (RFC 9728, OAUTH-2). */
export const resourceMetadata = (issuer: string, resource: string) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: oauthScopes,
  bearer_methods_supported: ["header"],
  resource_documentation: `${issuer}/docs`
})

/** The address of the metadata of the resource that a path belongs to. */
export const resourceMetadataUrl = (issuer: string, path: string): string =>
  `${issuer}/.well-known/oauth-protected-resource${path === "/mcp" ? path : ""}`
