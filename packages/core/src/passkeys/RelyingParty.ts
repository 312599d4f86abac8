import type { Effect } from "effect"
import { Data } from "effect"
import type { Credential, Passkey } from "./Passkey.ts"

/** The answer of a browser to the options of a registration, as WebAuthn's JSON. */
export interface RegistrationAnswer {
  readonly id: string
  readonly rawId: string
  readonly type: "public-key"
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: ReadonlyArray<string>
  }
}

/** The answer of a browser to the options of signing in or confirming, as WebAuthn's JSON. */
export interface AssertionAnswer {
  readonly id: string
  readonly rawId: string
  readonly type: "public-key"
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string
  }
}

/** The browser's answer is not that of a passkey of this service. */
export class PasskeyRefused extends Data.TaggedError("PasskeyRefused")<{ readonly reason: string }> {}

/** A verified assertion. */
export interface VerifiedAssertion {
  readonly counter: number
  readonly backedUp: boolean
}

/**
 * The identity of this service for browsers, and the verification of their answers.
 *
 * Contract: an answer is accepted only if it contains the challenge, comes from a page of `origin`, is for `id`, and the person was verified
 * (PIN, fingerprint, face). An assertion must be signed with the passkey.
 */
export interface RelyingParty {
  /** The host name that passkeys are bound to. */
  readonly id: string
  readonly name: string
  readonly origin: string
  readonly verifyRegistration: (
    answer: RegistrationAnswer,
    challenge: string
  ) => Effect.Effect<Credential, PasskeyRefused>
  readonly verifyAssertion: (
    answer: AssertionAnswer,
    challenge: string,
    passkey: Passkey
  ) => Effect.Effect<VerifiedAssertion, PasskeyRefused>
}
