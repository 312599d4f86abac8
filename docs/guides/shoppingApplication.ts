// An application that buys for a person, within the limits that the person sets. It needs Node alone.
import { createHash, randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Tokens {
  readonly access_token: string
  readonly refresh_token?: string
  readonly expires_in: number
  readonly scope: string
}

interface Metadata {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
}

const random = () => randomBytes(32).toString("base64url")

/** Where to ask for access. A market says it itself (RFC 8414). */
const discover = async (market: string): Promise<Metadata> => {
  const response = await fetch(`${market}/.well-known/oauth-authorization-server`)
  const metadata = (await response.json()) as Metadata
  if (metadata.issuer !== market) throw new Error(`${market} is not the issuer of its metadata`)
  return metadata
}

const requestTokens = async (url: string, form: Record<string, string>): Promise<Tokens> => {
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(form) })
  if (!response.ok) throw new Error(`The market gave no token: ${await response.text()}`)
  return (await response.json()) as Tokens
}

/** Waits on a free port of this machine for the browser to come back. */
const listen = async () => {
  let arrived: (url: URL) => void = () => {}
  const answer = new Promise<URL>((resolve) => (arrived = resolve))
  const server = createServer(({ url }, response) => {
    response.setHeader("content-type", "text/plain").end("You can close this page.")
    arrived(new URL(url ?? "/", "http://127.0.0.1"))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { redirectUri: `http://127.0.0.1:${port}/callback`, answer, close: () => server.close() }
}

/** Sends the person to the market, and returns what the person allowed. */
export const connect = async (
  market: string,
  clientId: string,
  openBrowser: (url: string) => void
): Promise<Tokens> => {
  const { authorization_endpoint, issuer, token_endpoint } = await discover(market)
  const [state, verifier] = [random(), random()]
  const { answer, close, redirectUri } = await listen()
  try {
    const url = new URL(authorization_endpoint)
    url.search = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "read buy",
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256"
    }).toString()
    openBrowser(url.href)
    const { searchParams } = await answer
    // The answer must be to this request, and from this market.
    if (searchParams.get("state") !== state || searchParams.get("iss") !== issuer) throw new Error("not our request")
    const code = searchParams.get("code")
    if (code === null) throw new Error(`The person refused: ${searchParams.get("error")}`)
    return await requestTokens(token_endpoint, {
      grant_type: "authorization_code",
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier
    })
  } finally {
    close()
  }
}

/** Before an access token expires. A refresh token works once: store the new one before anything else. */
export const renew = async (market: string, clientId: string, refreshToken: string): Promise<Tokens> => {
  const { token_endpoint } = await discover(market)
  return requestTokens(token_endpoint, {
    grant_type: "refresh_token",
    client_id: clientId,
    refresh_token: refreshToken
  })
}

/** Buys an item; the answer says whether the purchase is complete or waits for the person. */
export const buy = async (market: string, accessToken: string, skillId: string) => {
  const response = await fetch(`${market}/api/v1/purchases`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${accessToken}`,
      "content-type": "application/json",
      "idempotency-key": random()
    },
    body: JSON.stringify({ skillId })
  })
  return (await response.json()) as {
    readonly data?: { readonly purchaseId: string; readonly status: string }
    readonly error?: { readonly code: string }
  }
}
