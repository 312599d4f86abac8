import type { Scope } from "../identity/ApiKey.ts"

/** The permissions that an application can request (OAUTH-3). No scope permits withdrawals, decisions or changes of policies. */
export const oauthScopes = ["read", "buy", "sell"] as const

export type OauthScope = (typeof oauthScopes)[number]

const isScope = (word: string): word is OauthScope => (oauthScopes as ReadonlyArray<string>).includes(word)

/** The scopes of a parameter `scope`, without repetitions, in a fixed order; undefined if one of its words is none. */
export const parseScopes = (text: string): ReadonlyArray<OauthScope> | undefined => {
  const words = text.split(" ").filter((word) => word !== "")
  return words.every(isScope) ? oauthScopes.filter((scope) => words.includes(scope)) : undefined
}

/** The scope of an agent's key with the same permissions. An agent's FULL key can do what BUYER and SELLER keys can, and no more. */
export const keyScopeOf = (scopes: ReadonlyArray<OauthScope>): Scope => {
  const [buys, sells] = [scopes.includes("buy"), scopes.includes("sell")]
  if (buys && sells) return "FULL"
  if (buys) return "BUYER"
  return sells ? "SELLER" : "READ"
}

/** The scope of an application that suffices where one of these scopes of keys is required; undefined if no application has access. */
export const scopeFor = (required: ReadonlyArray<string>): OauthScope | undefined => {
  if (required.includes("READ")) return "read"
  if (required.includes("BUYER")) return "buy"
  return required.includes("SELLER") ? "sell" : undefined
}
