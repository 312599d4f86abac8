import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const keyId = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"

/** A public key of the market's signatures (SIGN-4). */
const SigningJwk = Schema.Struct({
  kty: ResponseField.choice(["OKP"], "Always `OKP`.", "OKP"),
  crv: ResponseField.choice(["Ed25519"], "Always `Ed25519`.", "Ed25519"),
  x: ResponseField.text("The public key, 32 bytes in base64url.", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"),
  kid: ResponseField.text("The key's id: its thumbprint (RFC 7638).", keyId),
  use: ResponseField.choice(["sig"], "Always `sig`.", "sig"),
  alg: ResponseField.choice(["EdDSA"], "Always `EdDSA`.", "EdDSA"),
  createdAt: ResponseField.time("When the market started to sign with it."),
  retiredAt: ResponseField.timeOrNull(
    "Signatures dated at this time or later are not valid; null while the key signs.",
    null
  )
}).annotate({ identifier: "SigningJwk", description: "A public key with which the market signs or signed." })

const SigningKeys = Schema.Struct({
  keys: Schema.Array(SigningJwk).annotate({ description: "The keys, newest first, past ones too." })
}).annotate({ identifier: "SigningKeys", description: "The public keys of the market's signatures (RFC 7517)." })

/** The public keys with which releases, advisories and license proofs are verified (SIGN-4). */
export const SigningGroup = HttpApiGroup.make("signing")
  .add(
    endpoint.get("keys", "/.well-known/agent-marketplace-keys.json", {
      summary: "Read the market's public keys",
      description:
        "Verifies releases, advisories and license proofs. Copies stay valid until a signature names a key that they do not contain.",
      access: access.public,
      unmetered: true,
      success: SigningKeys,
      errors: ["SERVICE_UNAVAILABLE"]
    })
  )
  .annotateMerge(OpenApi.annotations({ title: "Signing", description: "The public keys of the market's signatures." }))
