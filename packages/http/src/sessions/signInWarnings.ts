import { relyingPartyOf } from "../passkeys/relyingPartyOf.ts"
import { makeSessionCookie } from "./SessionCookie.ts"

/** Warnings for the log of a server that starts: features for browsers that its BASE_URL disables (SESSION-21, PASSKEY-8). */
export const signInWarnings = (baseUrl: string): ReadonlyArray<string> => {
  if (makeSessionCookie(baseUrl) === null) {
    return ["Sessions and passkeys are off: BASE_URL must have https, or http on a loopback name such as localhost"]
  }
  const place = relyingPartyOf(baseUrl)
  return place._tag === "Off" ? [`Passkeys are off: ${place.rule}`] : []
}
