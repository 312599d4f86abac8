import type { Advisory as CoreAdvisory } from "@agent-marketplace/core/advisories/Advisory"
import {
  advisoryActions,
  advisoryPayload,
  advisoryPayloadType,
  advisorySeverities
} from "@agent-marketplace/core/advisories/Advisory"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { keysetPageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { Query } from "../wire/Query.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

const Envelope = Schema.Struct({
  payloadType: ResponseField.text("The type of the payload.", advisoryPayloadType),
  payload: ResponseField.text(
    "The advisory's other fields in canonical JSON (RFC 8785), in base64.",
    "eyJhY3Rpb24iOiJub3RlIn0="
  ),
  signatures: Schema.Array(
    Schema.Struct({
      keyid: ResponseField.text(
        "The key's id in the market's public keys.",
        "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
      ),
      sig: ResponseField.text("An Ed25519 signature of the encoded payload, in base64.", "c2lnbmF0dXJl")
    })
  ).annotate({ description: "The market's signature." })
}).annotate({ identifier: "SignedEnvelope", description: "A signed payload in the format of DSSE." })

/** A published advisory (ADVISORY-2). */
const Advisory = Schema.Struct({
  id: ResponseField.text("The advisory's id, also a cursor of the feed.", "adv_000000000001k"),
  itemId: ResponseField.text("The listing or soul that it is about.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  versions: ResponseField.texts("The versions; empty if the item has no releases: then it is about every copy.", [
    "1.4.0"
  ]),
  sha256: ResponseField.texts("The digests of the archives of these versions.", [digest]),
  severity: ResponseField.choice(advisorySeverities, "How bad it is.", "critical"),
  reason: ResponseField.text("Why it was published.", "The release reads credentials and sends them elsewhere."),
  action: ResponseField.choice(advisoryActions, "What installers do: report it, or refuse the copy.", "remove"),
  publishedAt: ResponseField.time("When it was published."),
  previous: ResponseField.textOrNull(
    "The SHA-256 of the payload before this one; null for the first advisory.",
    digest
  ),
  envelope: field(Envelope, "The other fields, signed.", {
    payloadType: advisoryPayloadType,
    payload: "eyJhY3Rpb24iOiJub3RlIn0=",
    signatures: [{ keyid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", sig: "c2lnbmF0dXJl" }]
  })
}).annotate({
  identifier: "Advisory",
  description: "What license holders should know about something that they installed."
})

export const toAdvisory = (advisory: CoreAdvisory): typeof Advisory.Type => ({
  ...advisoryPayload(advisory),
  envelope: advisory.envelope
})

const list = endpoint.get("list", "/api/v1/advisories", {
  summary: "List advisories",
  description:
    "What was revoked, quarantined after it was sold, yanked or released again, oldest first. The last id that you have seen is the cursor: " +
    "no advisory ever appears before it. Each one is signed, and names the digest of the one before.",
  access: access.public,
  query: {
    after: Query.id(["adv"], "Only advisories after this one; unknown ids are refused.", "adv_000000000001k"),
    limit: Query.integer(1, 100, 100, "The most advisories of the response.")
  },
  success: keysetPageOf(Schema.Array(Advisory).annotate({ description: "The advisories, oldest first." }))
})

/** The public feed of advisories (ADVISORY-3). */
export const AdvisoriesGroup = HttpApiGroup.make("advisories")
  .add(list)
  .annotateMerge(OpenApi.annotations({ title: "Advisories", description: "What is wrong with things that were sold." }))
