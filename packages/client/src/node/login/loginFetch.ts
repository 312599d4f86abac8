import { changeKeyFile, readKeyFile } from "./KeyFile.ts"
import type { StoredKeys, StoredTokens } from "./KeyFile.ts"
import { oauthBody, postOauthForm } from "./oauthForm.ts"
import { storedTokensOf } from "./storedTokensOf.ts"

/** In milliseconds: a token that expires within this time is refreshed before it is used. */
const margin = 60_000

const tokensOf = ({ markets }: StoredKeys, market: string): StoredTokens | undefined => {
  const stored = markets[market]
  return stored !== undefined && "accessToken" in stored ? stored : undefined
}

const isUsable = ({ accessToken, expiresAt }: StoredTokens, refused: string | undefined): boolean =>
  accessToken !== refused && Date.parse(expiresAt) - margin > Date.now()

/** A token to use, or the response of a market that cannot refresh it at present. */
type Found = { readonly token: string | undefined } | { readonly unavailable: Response }

/**
 * The access token that the file has for a market, refreshed if it expires soon or if the market has refused it. One process refreshes at a
 * time, because a refresh token that is used twice ends the grant (OAUTH-11).
 */
const currentToken = async (
  file: string,
  market: string,
  fetch: typeof globalThis.fetch,
  refused?: string
): Promise<Found> => {
  const before = tokensOf(await readKeyFile(file), market)
  if (before === undefined || isUsable(before, refused)) return { token: before?.accessToken }
  let found: Found = { token: undefined }
  await changeKeyFile(file, async (kept) => {
    const stored = tokensOf(kept, market)
    found = { token: stored?.accessToken }
    // Another process may have refreshed it while this one waited.
    if (stored === undefined || isUsable(stored, refused)) return kept
    const fields = { grant_type: "refresh_token", refresh_token: stored.refreshToken }
    const response = await postOauthForm(market, "token", fields, fetch)
    const tokens = response.ok ? storedTokensOf(await oauthBody(response)) : undefined
    if (tokens === undefined) {
      // The old token of a grant that has ended gets the market's own 401.
      if (response.status === 429 || response.status >= 500) found = { unavailable: response }
      return kept
    }
    found = { token: tokens.accessToken }
    return { ...kept, markets: { ...kept.markets, [market]: tokens } }
  })
  return found
}

const isTokenRefused = ({ headers, status }: Response): boolean =>
  status === 401 && headers.get("www-authenticate")?.includes("invalid_token") !== false

/**
 * A `fetch` that sends the access token which the key file has for a market. It refreshes the token when it expires, also during the life of the
 * client, and after the market refused it.
 */
export const loginFetch =
  (file: string, market: string, fetch: typeof globalThis.fetch = globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const send = (token: string): Promise<Response> => {
      const headers = new Headers(init?.headers)
      headers.set("authorization", `Bearer ${token}`)
      return fetch(input, { ...init, headers })
    }
    const found = await currentToken(file, market, fetch)
    if ("unavailable" in found) return found.unavailable
    const { token } = found
    // The user logged out while the program ran: the market refuses the request.
    if (token === undefined) return fetch(input, init)
    const response = await send(token)
    if (!isTokenRefused(response)) return response
    const renewed = await currentToken(file, market, fetch, token)
    if ("unavailable" in renewed || renewed.token === undefined || renewed.token === token) return response
    await response.body?.cancel()
    return send(renewed.token)
  }
