import { hash } from "node:crypto"
import { createRemoteJWKSet, decodeJwt, errors, jwtVerify } from "jose"
import type { JWTPayload } from "jose"
import type { Scope } from "@agent-marketplace/core/identity/ApiKey"
import type { HostUser } from "@agent-marketplace/core/identity/HostUsers"
import type { RecogniseUser } from "../options/MarketplaceOptions.ts"

/** An issuer of tokens that the market trusts, such as the host's own identity provider. */
export interface TrustedIssuer {
  /** The `iss` of its tokens, compared character by character: an HTTPS URL, or HTTP on loopback. */
  readonly issuer: string
  /** The `aud` of tokens for this market. A token for another service is refused. */
  readonly audience: string
  /** Where its public keys are (JWKS); default: `<issuer>/.well-known/jwks.json`. */
  readonly jwksUri?: string | undefined
  /** The scope of the bearer of a token, derived from the verified claims; null refuses the token. Default: READ. */
  readonly scope?: ((claims: Readonly<Record<string, unknown>>) => Scope | null) | undefined
}

/** Asymmetric algorithms only: if shared secrets were accepted, the public key of an issuer could be used as one to sign. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]

/** Seconds by which the clocks of the issuer and of this machine may differ. */
const clockTolerance = 30

/** Milliseconds that a request for keys may take. */
const keysTimeout = 5_000

const longestToken = 8_192
const longestId = 255
const longestName = 100

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host)

/** Why a URL cannot be an issuer's or that of its keys; undefined if it can. */
const violation = (url: string): string | undefined => {
  if (!URL.canParse(url)) return "must be a URL"
  const { hostname, password, protocol, username } = new URL(url)
  if (username !== "" || password !== "") return "must not contain credentials"
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname)) ? undefined : "must be an HTTPS URL"
}

const check = ({ audience, issuer, jwksUri }: TrustedIssuer, at: number): ReadonlyArray<string> => {
  const urls = { issuer, ...(jwksUri === undefined ? {} : { jwksUri }) }
  return [
    ...Object.entries(urls).flatMap(([name, url]) => {
      const message = typeof url === "string" ? violation(url) : "must be a URL"
      return message === undefined ? [] : [`issuers[${at}].${name}: ${message}`]
    }),
    ...(typeof audience === "string" && audience !== "" ? [] : [`issuers[${at}].audience: must not be empty`])
  ]
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined

/** One id for each subject of each issuer: subjects of two issuers never become one user. */
const idOf = (issuer: string, subject: string): string => {
  const id = `${issuer} ${subject}`
  return id.length <= longestId ? id : `sha256 ${hash("sha256", id)}`
}

const userOf = (claims: JWTPayload, { issuer, scope }: TrustedIssuer): HostUser | null => {
  const { email, email_verified: verified, name, preferred_username: preferred, sub } = claims
  const allowed = scope === undefined ? "READ" : scope(claims)
  if (allowed === null || typeof sub !== "string" || sub === "") return null
  const shown = textOf(name) ?? textOf(preferred) ?? "User"
  return {
    id: idOf(issuer, sub),
    name: [...shown].slice(0, longestName).join(""),
    email: verified === true ? (textOf(email) ?? null) : null,
    scope: allowed
  }
}

const tokenOf = (authorization: string | undefined): string | undefined => {
  if (authorization === undefined || authorization.length > longestToken) return undefined
  return /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1]
}

/** The issuer that a token names, which is not verified yet. */
const namedIssuer = (token: string): unknown => {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

/** Codes of failures to read an issuer's keys. They do not mean that the token is invalid. */
const outages = new Set(["ERR_JOSE_GENERIC", errors.JWKSTimeout.code, errors.JWKSInvalid.code])

const isOutage = (error: unknown): boolean => !(error instanceof errors.JOSEError) || outages.has(error.code)

/**
 * The `users` of a market that trusts tokens (JWT) of outside issuers, verified with their published keys (EMBED-9). Each subject of each issuer
 * is a user of the host. A token must be signed with a private key, name the issuer and the audience, and expire. While the keys of its issuer
 * cannot be read, a request gets 503. Throws if an issuer is not valid.
 */
export const issuedUsers = (issuers: ReadonlyArray<TrustedIssuer>): RecogniseUser => {
  const problems = issuers.length === 0 ? ["issuers: must contain at least one issuer"] : issuers.flatMap(check)
  if (problems.length > 0) throw new TypeError(problems.join("\n"))
  const known = new Map(
    issuers.map((trusted) => {
      const { issuer, jwksUri = `${issuer.replace(/\/$/, "")}/.well-known/jwks.json` } = trusted
      const keys = createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: keysTimeout })
      return [issuer, { keys, trusted }] as const
    })
  )
  return async ({ authorization }) => {
    const token = tokenOf(authorization)
    const found = token === undefined ? undefined : known.get(String(namedIssuer(token)))
    if (token === undefined || found === undefined) return null
    const { keys, trusted } = found
    const { audience, issuer } = trusted
    const expected = { issuer, audience, algorithms, clockTolerance, requiredClaims: ["sub", "exp"] }
    try {
      return userOf((await jwtVerify(token, keys, expected)).payload, trusted)
    } catch (error) {
      if (isOutage(error)) throw error
      return null
    }
  }
}
