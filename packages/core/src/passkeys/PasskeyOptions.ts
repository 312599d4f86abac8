import { Base64Url } from "effect/encoding"
import type { Account } from "../identity/Account.ts"
import type { Passkey } from "./Passkey.ts"
import { challengeLifetime } from "./Passkey.ts"
import type { RelyingParty } from "./RelyingParty.ts"

/** ES256, EdDSA and RS256, the algorithms that authenticators use. */
const algorithms = [-7, -8, -257] as const

const descriptorOf = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  type: "public-key" as const,
  transports
})

/** The options with which a browser creates a passkey, as WebAuthn's JSON (PASSKEY-1). */
export const registrationOptions = (
  { id, name }: RelyingParty,
  account: Account,
  known: ReadonlyArray<Passkey>,
  challenge: string
) => ({
  challenge,
  rp: { id, name },
  user: { id: Base64Url.encode(account.id), name: account.name, displayName: account.name },
  pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key" as const, alg })),
  timeout: challengeLifetime,
  attestation: "none" as const,
  excludeCredentials: known.map(descriptorOf),
  authenticatorSelection: {
    residentKey: "required" as const,
    requireResidentKey: true,
    userVerification: "required" as const
  }
})

/** The options with which a browser signs with a passkey, as WebAuthn's JSON. Without `known` the person chooses one of the browser's. */
export const assertionOptions = ({ id }: RelyingParty, known: ReadonlyArray<Passkey>, challenge: string) => ({
  challenge,
  rpId: id,
  timeout: challengeLifetime,
  userVerification: "required" as const,
  allowCredentials: known.map(descriptorOf)
})
