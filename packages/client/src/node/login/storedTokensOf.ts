import type { StoredTokens } from "./KeyFile.ts"

/** In milliseconds; used if a market does not say how long its tokens are valid. */
const usualLifetime = 3_600_000

/** The tokens of a response of the token endpoint; undefined if it contains none that can be refreshed. */
export const storedTokensOf = (body: Readonly<Record<string, unknown>>): StoredTokens | undefined => {
  const { access_token: accessToken, expires_in: seconds, refresh_token: refreshToken, scope } = body
  if (typeof accessToken !== "string" || typeof refreshToken !== "string") return undefined
  const lifetime =
    typeof seconds === "number" && seconds > 0 ? Math.min(seconds * 1000, usualLifetime * 24) : usualLifetime
  return {
    accessToken,
    refreshToken,
    expiresAt: new Date(Date.now() + lifetime).toISOString(),
    scopes: typeof scope === "string" ? scope.split(" ").filter((each) => each !== "") : []
  }
}
