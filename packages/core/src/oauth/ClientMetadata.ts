import { Result, Schema } from "effect"
import type { Issue } from "../errors/MarketError.ts"
import { Text } from "../text/Text.ts"
import { VisibleLine } from "../text/VisibleLine.ts"
import type { ClientAuthMethod, GrantType, OauthClient } from "./OauthClient.ts"
import { clientAuthMethods, grantTypes } from "./OauthClient.ts"
import { oauthScopes, parseScopes } from "./OauthScope.ts"
import { RedirectUri } from "./RedirectUri.ts"

/** The names of RFC 7591 that are used. Others are ignored. */
export const ClientMetadata = Schema.Struct({
  client_name: Schema.optionalKey(Schema.String),
  redirect_uris: Schema.optionalKey(Schema.Array(Schema.String)),
  grant_types: Schema.optionalKey(Schema.Array(Schema.String)),
  token_endpoint_auth_method: Schema.optionalKey(Schema.String),
  scope: Schema.optionalKey(Schema.String)
})

export type ClientMetadata = typeof ClientMetadata.Type

/** The fields of a client that come from its metadata. */
export type DescribedClient = Pick<OauthClient, "authMethod" | "grantTypes" | "name" | "redirectUris" | "scopes">

/** The source of the metadata. Only an `owner` may register a client that acts for the account; others need the consent of a person. */
export type MetadataSource = "owner" | "anybody" | "document"

const maxName = 100
const maxRedirectUris = 10

const issue = (path: string, message: string): Issue => ({ path, message })

const nameIssues = (name: string): ReadonlyArray<Issue> => {
  if (name === "" || Text.codePoints(name) > maxName || !Text.isClean(name)) {
    return [issue("client_name", `must be a text of 1 to ${maxName} characters`)]
  }
  const violation = VisibleLine.violation(name)
  return violation === undefined ? [] : [issue("client_name", violation)]
}

const redirectIssues = (uris: ReadonlyArray<string>, needed: boolean): ReadonlyArray<Issue> => {
  if (needed && uris.length === 0) return [issue("redirect_uris", "must name at least one URI")]
  if (uris.length > maxRedirectUris) return [issue("redirect_uris", `must name at most ${maxRedirectUris} URIs`)]
  return uris.flatMap((uri, index) => {
    const violation = RedirectUri.violation(uri)
    return violation === undefined ? [] : [issue(`redirect_uris.${index}`, violation)]
  })
}

const isGrantType = (text: string): text is GrantType => (grantTypes as ReadonlyArray<string>).includes(text)

const isAuthMethod = (text: string): text is ClientAuthMethod =>
  (clientAuthMethods as ReadonlyArray<string>).includes(text)

/** The rules that concern several fields. */
const methodIssues = (method: string, grants: ReadonlyArray<string>, source: MetadataSource): ReadonlyArray<Issue> => {
  const path = "token_endpoint_auth_method"
  if (!isAuthMethod(method)) return [issue(path, `must be one of: ${clientAuthMethods.join(", ")}`)]
  if (source === "document" && method !== "none")
    return [issue(path, "must be none: a public document holds no secret")]
  if (!grants.includes("client_credentials")) return []
  if (source !== "owner") return [issue("grant_types", "client_credentials needs a client that an account registered")]
  return method === "none" ? [issue(path, "must not be none: client_credentials needs a secret")] : []
}

/** The client that the metadata describe, or every rule that they break (OAUTH-16). `fallbackName` is for clients without a name. */
export const describeClient = (
  metadata: ClientMetadata,
  source: MetadataSource,
  fallbackName = ""
): Result.Result<DescribedClient, ReadonlyArray<Issue>> => {
  const name = metadata.client_name?.trim() ?? fallbackName
  const redirectUris = [...new Set(metadata.redirect_uris ?? [])]
  const grants = [...new Set(metadata.grant_types ?? ["authorization_code", "refresh_token"])]
  const method = metadata.token_endpoint_auth_method ?? (source === "document" ? "none" : "client_secret_basic")
  const scopes = metadata.scope === undefined ? oauthScopes : parseScopes(metadata.scope)
  const issues = [
    ...nameIssues(name),
    ...redirectIssues(redirectUris, grants.includes("authorization_code")),
    ...(grants.length > 0 && grants.every(isGrantType)
      ? []
      : [issue("grant_types", `must name some of: ${grantTypes.join(", ")}`)]),
    ...methodIssues(method, grants, source),
    ...(scopes === undefined || scopes.length === 0
      ? [issue("scope", `must name some of: ${oauthScopes.join(" ")}`)]
      : [])
  ]
  return issues.length > 0
    ? Result.fail(issues)
    : Result.succeed({
        name,
        redirectUris,
        grantTypes: grants.filter(isGrantType),
        authMethod: isAuthMethod(method) ? method : "none",
        scopes: scopes ?? []
      })
}
