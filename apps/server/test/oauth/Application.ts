import * as oauth from "oauth4webapi"
import { assert } from "vitest"
import { dataOf, makeClient } from "../fixtures/Client.ts"
import type { Client, Reply } from "../fixtures/Client.ts"
import type { Member } from "../fixtures/Market.ts"
import { consentOf } from "./Person.ts"

export const callback = "https://app.example.com/callback"

/** The tests reach the market over plain HTTP on a loopback address. */
export const insecure = { [oauth.allowInsecureRequests]: true }

export interface Registered {
  readonly client_id: string
  readonly client_secret?: string
}

/** The market as an outside client discovers it. */
export const discover = async (baseUrl: string): Promise<oauth.AuthorizationServer> => {
  const issuer = new URL(baseUrl)
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure })
  return oauth.processDiscoveryResponse(issuer, response)
}

/** Registers an application for the owner; by default one that cannot keep a secret. */
export const register = async (owner: Client, metadata: object = {}): Promise<Registered> =>
  dataOf<Registered>(
    await owner.post("/api/v1/oauth/clients", {
      client_name: "Shopping helper",
      redirect_uris: [callback],
      token_endpoint_auth_method: "none",
      ...metadata
    }),
    201
  )

/** The secrets and the URL with which an application exchanges a code. */
export interface Started {
  readonly url: URL
  readonly state: string
  readonly verifier: string
}

/** The address that an application opens in the person's browser. */
export const startUrl = async (
  server: oauth.AuthorizationServer,
  clientId: string,
  more: Readonly<Record<string, string | null>> = {}
): Promise<Started> => {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(server.authorization_endpoint ?? "")
  const parameters: Readonly<Record<string, string | null>> = {
    client_id: clientId,
    redirect_uri: callback,
    response_type: "code",
    scope: "read buy",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...more
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value)
  return { url, state, verifier }
}

/** Follows the address to the page where the person decides, and returns the id of the request. */
export const openRequest = async (url: URL): Promise<string> => {
  const response = await fetch(url, { redirect: "manual" })
  assert.strictEqual(response.status, 303, await response.clone().text())
  const location = new URL(response.headers.get("location") ?? "")
  assert.strictEqual(location.pathname, "/oauth/consent")
  return location.searchParams.get("request") ?? ""
}

export interface Connected {
  readonly client: oauth.Client
  readonly tokens: oauth.TokenEndpointResponse
  /** A client of the market with the access token. */
  readonly api: Client
  /** The address with the code that the browser was sent to. */
  readonly redirectTo: URL
  readonly started: Started
}

export const exchangeCode = (
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  redirectTo: URL,
  { state, verifier }: Started,
  auth: oauth.ClientAuth = oauth.None()
): Promise<Response> => {
  const parameters = oauth.validateAuthResponse(server, client, redirectTo, state)
  return oauth.authorizationCodeGrantRequest(server, client, auth, parameters, callback, verifier, insecure)
}

/** The whole authorization code flow, as an outside client makes it. */
export const connect = async (
  baseUrl: string,
  owner: Member,
  options: {
    readonly registered?: Registered
    readonly parameters?: Readonly<Record<string, string | null>>
    readonly decision?: object
  } = {}
): Promise<Connected> => {
  const server = await discover(baseUrl)
  const registered = options.registered ?? (await register(owner))
  const client: oauth.Client = { client_id: registered.client_id }
  const started = await startUrl(server, registered.client_id, options.parameters)
  const person = await consentOf(baseUrl, owner)
  const redirectTo = await person.decide(await openRequest(started.url), { approve: true, ...options.decision })
  const auth = registered.client_secret === undefined ? oauth.None() : oauth.ClientSecretBasic(registered.client_secret)
  const response = await exchangeCode(server, client, new URL(redirectTo), started, auth)
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response)
  return { client, tokens, api: makeClient(baseUrl, tokens.access_token), redirectTo: new URL(redirectTo), started }
}

/** The form of an OAuth endpoint, sent without a client library. */
export const postForm = async (
  url: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {}
): Promise<Reply> => {
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(form), headers })
  const text = await response.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  return { status: response.status, headers: response.headers, text, body }
}

/** The code of a refusal by an OAuth endpoint. */
export const oauthErrorOf = ({ body }: Reply): unknown => (body as { readonly error?: unknown } | undefined)?.error
