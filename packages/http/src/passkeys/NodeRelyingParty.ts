import type { RelyingParty } from "@agent-marketplace/core/passkeys/RelyingParty"
import { PasskeyRefused } from "@agent-marketplace/core/passkeys/RelyingParty"
import type { AuthenticatorTransport } from "@simplewebauthn/server"
import { Effect } from "effect"

/** Loaded with the first passkey, because its certificates' code takes a fifth of a start. */
const webauthn = () => import("@simplewebauthn/server")

const name = "Agent Marketplace"

const refuse = (cause: unknown) =>
  new PasskeyRefused({ reason: cause instanceof Error ? cause.message : "it cannot be verified" })

const unverified = new PasskeyRefused({ reason: "it cannot be verified" })

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "base64url"))

/** WebAuthn's verification. The person must have been verified in each ceremony (PASSKEY-6). */
export const nodeRelyingParty = (id: string, origin: string): RelyingParty => {
  const expected = { expectedOrigin: origin, expectedRPID: id, requireUserVerification: true }
  return {
    id,
    name,
    origin,
    verifyRegistration: (answer, challenge) =>
      Effect.gen(function* () {
        const { registrationInfo, verified } = yield* Effect.tryPromise({
          try: async () =>
            (await webauthn()).verifyRegistrationResponse({
              ...expected,
              expectedChallenge: challenge,
              response: { ...answer, response: { ...answer.response, transports: [] }, clientExtensionResults: {} }
            }),
          catch: refuse
        })
        if (!verified || registrationInfo === undefined) return yield* unverified
        const { credential, credentialBackedUp } = registrationInfo
        return {
          credentialId: credential.id,
          publicKey: Buffer.from(credential.publicKey).toString("base64url"),
          counter: credential.counter,
          transports: (answer.response.transports ?? []).filter((each) => /^[a-z-]{1,20}$/.test(each)).slice(0, 8),
          backedUp: credentialBackedUp
        }
      }),
    verifyAssertion: (answer, challenge, passkey) =>
      Effect.gen(function* () {
        const { authenticationInfo, verified } = yield* Effect.tryPromise({
          try: async () =>
            (await webauthn()).verifyAuthenticationResponse({
              ...expected,
              expectedChallenge: challenge,
              response: { ...answer, clientExtensionResults: {} },
              credential: {
                id: passkey.credentialId,
                publicKey: bytesOf(passkey.publicKey),
                counter: passkey.counter,
                transports: passkey.transports as Array<AuthenticatorTransport>
              }
            }),
          catch: refuse
        })
        if (!verified) return yield* unverified
        return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
      })
  }
}
