import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"

const encoder = new TextEncoder()

const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/

/** Proof Key for Code Exchange (RFC 7636), with the method S256 only (OAUTH-6). */
export const Pkce = {
  isChallenge: (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text),
  matches: (digest: Digest.Digest["Service"], challenge: string, verifier: string): Effect.Effect<boolean> =>
    verifierForm.test(verifier)
      ? Effect.map(
          digest.digest(Digest.sha256, encoder.encode(verifier)),
          (bytes) => Base64Url.encode(bytes).replaceAll("=", "") === challenge
        )
      : Effect.succeed(false)
}
