import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Passkey as CorePasskey } from "@agent-marketplace/core/passkeys/Passkey"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { visibleLine } from "@agent-marketplace/core/text/VisibleLine"
import { choice } from "@agent-marketplace/core/fields/InputRules"
import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const exampleId = "KEDetxZcUfinhVi6Za5nZQ"
const exampleBinary = "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0"

const binary = (description: string, max = 65_536) =>
  field(boundedText({ min: 1, max }), `${description} Base64url.`, exampleBinary)

const credentialId = field(boundedText({ min: 1, max: 2048 }), "The id of the passkey, base64url.", exampleId)

const publicKey = choice(["public-key"]).annotateKey({ messageMissingKey: "is required" })

const transports = Schema.Array(boundedText({ min: 1, max: 32 }))

const answerFields = {
  id: credentialId,
  rawId: credentialId,
  type: field(publicKey, "Always `public-key`.", "public-key")
}

const name = visibleLine({ min: 1, max: 100 })

const registration = Schema.Struct({
  clientDataJSON: binary("The browser's description of the request."),
  attestationObject: binary("The new passkey."),
  transports: field(optional(transports), "How the browser reaches the authenticator.", ["internal"])
}).annotate({ description: "The authenticator's answer." })

/** What `navigator.credentials.create` returns, as JSON, and a name (PASSKEY-1). */
export const PasskeyRegistration = Schema.Struct({
  ...answerFields,
  response: registration.annotateKey({ messageMissingKey: "is required" }),
  name: field(optional(name), "1 to 100 characters; a name that distinguishes the passkey from others.", "My laptop")
}).annotate({ identifier: "PasskeyRegistration", description: "The browser's answer to the options, and a name." })

const assertion = Schema.Struct({
  clientDataJSON: binary("The browser's description of the request."),
  authenticatorData: binary("What the authenticator says."),
  signature: binary("Its signature."),
  userHandle: field(
    optional(boundedText({ min: 1, max: 128 })),
    "The id of the account that the passkey contains.",
    "dXNyXzE"
  )
}).annotate({ description: "The authenticator's answer." })

/** What `navigator.credentials.get` returns, as JSON (PASSKEY-3, PASSKEY-4). */
export const PasskeyAssertion = Schema.Struct({
  ...answerFields,
  response: assertion.annotateKey({ messageMissingKey: "is required" })
}).annotate({ identifier: "PasskeyAssertion", description: "The browser's answer to the options." })

export const PasskeyPatch = Schema.Struct({
  name: field(name, "1 to 100 characters.", "My laptop")
}).annotate({ identifier: "PasskeyPatch", description: "The new name." })

export const Passkey = Schema.Struct({
  id: ResponseField.text("Prefix `psk_`.", "psk_01j9zq5k2f8h3m6n7p0r4s"),
  name: ResponseField.text("A name that distinguishes the passkey from others.", "My laptop"),
  transports: ResponseField.texts("How the browser reaches the authenticator.", ["internal"]),
  backedUp: ResponseField.flag("Whether it is stored in more than one device.", true),
  createdAt: ResponseField.time("When it was registered."),
  lastUsedAt: ResponseField.timeOrNull("When it was last used.", null)
}).annotate({ identifier: "Passkey", description: "A passkey with which a person signs in and confirms." })

const challenge = ResponseField.text("256 random bits, base64url. Accepted once, for five minutes.", exampleBinary)

const timeout = ResponseField.count("How long the browser waits, in milliseconds.", 300_000)

const descriptors = Schema.Array(
  Schema.Struct({
    id: ResponseField.text("The id of the passkey, base64url.", exampleId),
    type: ResponseField.choice(["public-key"], "Always `public-key`.", "public-key"),
    transports: ResponseField.texts("How the browser reaches the authenticator.", ["internal"])
  })
)

/** WebAuthn's `PublicKeyCredentialCreationOptionsJSON`. */
export const PasskeyCreationOptions = Schema.Struct({
  challenge,
  rp: Schema.Struct({
    id: ResponseField.text("The host of BASE_URL.", "market.example"),
    name: ResponseField.text("The service.", "Agent Marketplace")
  }).annotate({ description: "This service." }),
  user: Schema.Struct({
    id: ResponseField.text("The account's id, base64url.", "dXNyXzAx"),
    name: ResponseField.text("The account's name.", "Ada"),
    displayName: ResponseField.text("The account's name.", "Ada")
  }).annotate({ description: "The account." }),
  pubKeyCredParams: Schema.Array(
    Schema.Struct({
      type: ResponseField.choice(["public-key"], "Always `public-key`.", "public-key"),
      alg: ResponseField.number("A COSE algorithm.", -7)
    })
  ).annotate({ description: "The accepted algorithms." }),
  timeout,
  attestation: ResponseField.choice(["none"], "No attestation of the authenticator is requested.", "none"),
  excludeCredentials: descriptors.annotate({ description: "The account's passkeys." }),
  authenticatorSelection: Schema.Struct({
    residentKey: ResponseField.choice(["required"], "The passkey is discoverable.", "required"),
    requireResidentKey: ResponseField.flag("The same, for older browsers.", true),
    userVerification: ResponseField.choice(["required"], "By PIN, fingerprint or face.", "required")
  }).annotate({ description: "What the authenticator must do." })
}).annotate({
  identifier: "PasskeyCreationOptions",
  description: "For `PublicKeyCredential.parseCreationOptionsFromJSON`."
})

/** WebAuthn's `PublicKeyCredentialRequestOptionsJSON`. */
export const PasskeyRequestOptions = Schema.Struct({
  challenge,
  rpId: ResponseField.text("The host of BASE_URL.", "market.example"),
  timeout,
  userVerification: ResponseField.choice(["required"], "By PIN, fingerprint or face.", "required"),
  allowCredentials: descriptors.annotate({
    description: "The account's passkeys; empty for signing in, where the person chooses."
  })
}).annotate({
  identifier: "PasskeyRequestOptions",
  description: "For `PublicKeyCredential.parseRequestOptionsFromJSON`."
})

export const toPasskey = (passkey: CorePasskey): typeof Passkey.Type => ({
  id: passkey.id,
  name: passkey.name,
  transports: passkey.transports,
  backedUp: passkey.backedUp,
  createdAt: Timestamp.toIso(passkey.createdAt),
  lastUsedAt: passkey.lastUsedAt === null ? null : Timestamp.toIso(passkey.lastUsedAt)
})
