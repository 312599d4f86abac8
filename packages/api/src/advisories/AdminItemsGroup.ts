import type { ControlledItem as CoreControlledItem } from "@agent-marketplace/core/advisories/ItemControl"
import { refundDaysRange } from "@agent-marketplace/core/advisories/Revocation"
import { integer } from "@agent-marketplace/core/fields/InputRules"
import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import { reasonCodes } from "@agent-marketplace/core/moderation/ReasonCode"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { releaseStatuses, shownLevel, waitingStatuses, waitsSince } from "@agent-marketplace/core/releases/Release"
import type { ReleaseHead, ReleaseReason } from "@agent-marketplace/core/releases/Release"
import { levels } from "@agent-marketplace/core/releases/Verdict"
import { itemReleasesState } from "@agent-marketplace/core/releases/ItemReleases"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { reasonText } from "../admin/Reason.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf, optional } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { Revocation, toRevocation } from "./RevocationSchemas.ts"

const codes = Schema.Literals(reasonCodes).annotate({ message: `must be one of: ${reasonCodes.join(", ")}` })

const decision = {
  versions: field(
    optional(
      Schema.Array(boundedText({ min: 1, max: 100 })).check(
        Schema.isMinLength(1, { message: "must not be empty" }),
        Schema.isMaxLength(1000, { message: "must have at most 1000 entries" })
      )
    ),
    "The versions that it is about; without them the item as a whole, with all of its releases.",
    ["1.4.0"]
  ),
  reason: field(
    reasonText,
    "1 to 1,000 characters, required; license holders and the creator see it.",
    "The release reads credentials and sends them elsewhere."
  ),
  code: field(optional(codes), "The kind of reason; `other` by default.", "theft")
}

const ItemDecision = Schema.Struct(decision).annotate({
  identifier: "ItemDecision",
  description: "What an operator decides about an item, and why."
})

const ItemRevocation = Schema.Struct({
  ...decision,
  refundDays: field(
    optional(integer(refundDaysRange.minimum, refundDaysRange.maximum)),
    "Refunds every purchase and renewal of so many days before; without it nothing is refunded.",
    30
  )
}).annotate({
  identifier: "ItemRevocation",
  description: "What an operator revokes, and which purchases are refunded."
})

const Reason = Schema.Struct({
  code: ResponseField.text("The kind of reason.", "theft"),
  text: ResponseField.text("The reason in words.", "The release reads credentials and sends them elsewhere."),
  revoked: ResponseField.flag("Whether it is revoked, which is permanent.", true)
}).annotate({ identifier: "WithdrawalReason", description: "Why something is not sold." })

/** An item and its releases after an operator's decision (QUARANTINE-1). */
const ControlledItem = Schema.Struct({
  id: ResponseField.text("The listing or soul.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  kind: ResponseField.choice(["listing", "soul"], "What it is.", "listing"),
  quarantined: ResponseField.flag("Whether nothing of it is for sale because of its releases or a quarantine.", true),
  quarantine: field(Schema.NullOr(Reason), "Why the item as a whole is quarantined; null if it is not.", null),
  releases: Schema.Array(
    Schema.Struct({
      version: ResponseField.text("The version.", "1.4.0"),
      sha256: ResponseField.text(
        "The digest of the archive.",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
      ),
      status: ResponseField.choice(releaseStatuses, "Its state.", "quarantined"),
      reason: field(Schema.NullOr(Reason), "Why it is not sold; null if there is no reason.", null),
      purgedAt: ResponseField.timeOrNull("When its bytes were purged; null if they were not.")
    })
  ).annotate({ description: "Its releases, oldest first." }),
  revocation: field(Schema.NullOr(Revocation), "The refunds that the decision started; null if there are none.", null)
}).annotate({ identifier: "ControlledItem", description: "An item after an operator's decision." })

const toReason = (reason: ReleaseReason | null): typeof Reason.Type | null =>
  reason === null ? null : { code: reason.code, text: reason.text, revoked: reason.revoked === true }

export const toControlledItem = ({ revocation, itemReleases }: CoreControlledItem): typeof ControlledItem.Type => ({
  id: itemReleases.item.id,
  kind: itemReleases.item.kind,
  quarantined: itemReleasesState(itemReleases).quarantined,
  quarantine: toReason(itemReleases.item.quarantine),
  releases: itemReleases.releases.map(({ purgedAt, reason, sha256, status, version }) => ({
    version,
    sha256,
    status,
    reason: toReason(reason),
    purgedAt: purgedAt === null ? null : Timestamp.toIso(purgedAt)
  })),
  revocation: revocation === null ? null : toRevocation(revocation)
})

/** A release that an operator can decide about (RELEASE-29). */
const WaitingRelease = Schema.Struct({
  id: ResponseField.text("Prefix `rel_`.", "rel_01j9zq5k2f8h3m6n7p0r4s"),
  itemId: ResponseField.text("The listing or soul.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  version: ResponseField.text("The version.", "1.4.0"),
  status: ResponseField.choice(waitingStatuses, "Its state.", "in_review"),
  level: field(Schema.NullOr(Schema.Literals(levels)), "The level of its verdict; null until it was scanned.", "warn"),
  reason: field(Schema.NullOr(Reason), "Why it is not sold; null if every release is reviewed.", null),
  waitingSince: ResponseField.time("When it was put in review or quarantined.")
}).annotate({ identifier: "WaitingRelease", description: "A release that an operator can decide about." })

export const toWaitingRelease = (head: ReleaseHead): typeof WaitingRelease.Type => ({
  id: head.id,
  itemId: head.itemId,
  version: head.version,
  status: head.status === "in_review" ? "in_review" : "quarantined",
  level: shownLevel(head),
  reason: toReason(head.reason),
  waitingSince: Timestamp.toIso(waitsSince(head))
})

const facts = (summary: string, description: string) => ({ summary, description, access: access.admin })

const decided = {
  params: { id: field(idOf<ItemId>(), "The id of a listing or a soul.", "lst_01j9zq5k2f8h3m6n7p0r4s") },
  success: enveloped(ControlledItem)
} as const

const quarantine = endpoint.post("quarantine", "/api/v1/admin/items/:id/quarantine", {
  ...facts(
    "Quarantine an item",
    "Takes it, or some of its versions, off sale until it is released. No purchase commits after the response. License holders get an advisory."
  ),
  ...decided,
  payload: ItemDecision,
  errors: ["LISTING_NOT_FOUND", "SOUL_NOT_FOUND"]
})

const release = endpoint.post("release", "/api/v1/admin/items/:id/release", {
  ...facts(
    "Release an item",
    "Ends a quarantine, and approves releases that wait for a decision because of their verdict. CONFLICT if nothing waits, or if it is revoked."
  ),
  ...decided,
  payload: ItemDecision,
  errors: ["LISTING_NOT_FOUND", "SOUL_NOT_FOUND", "CONFLICT"]
})

const revoke = endpoint.post("revoke", "/api/v1/admin/items/:id/revoke", {
  ...facts(
    "Revoke an item",
    "As a quarantine, for good: an advisory asks to remove installed copies. With `refundDays` purchases are refunded in the background; " +
      "the platform covers what the seller lacks. A repetition refunds nothing twice."
  ),
  ...decided,
  stepUp: "operator",
  payload: ItemRevocation,
  errors: ["LISTING_NOT_FOUND", "SOUL_NOT_FOUND"]
})

const purge = endpoint.post("purge", "/api/v1/admin/items/:id/purge", {
  ...facts(
    "Purge an item's bytes",
    "Takes its releases, or some of them, off sale permanently and removes their bytes, for leaked data or by order of the law. Nobody can download them " +
      "afterwards, and the same bytes cannot be uploaded again. Digests, versions, purchases and advisories remain. Bytes that another release has too " +
      "remain until it is purged. CONFLICT if the item has no release. A repetition completes an interrupted removal."
  ),
  ...decided,
  payload: ItemDecision,
  errors: ["LISTING_NOT_FOUND", "SOUL_NOT_FOUND", "CONFLICT"]
})

const releases = endpoint.get("releases", "/api/v1/admin/releases", {
  ...facts(
    "List releases that wait",
    "Releases that an operator can decide about, the one that has waited longest first: in review, or quarantined and not revoked. " +
      "Copies of quarantined bytes follow the original and are left out."
  ),
  query: { status: Query.choice(waitingStatuses, "Only those in this state.", "in_review"), ...pageQuery },
  success: pageOf(Schema.Array(WaitingRelease).annotate({ description: "The releases of the page, oldest first." }))
})

const revocations = endpoint.get("revocations", "/api/v1/admin/revocations", {
  ...facts("List revocations", "Revocations with the progress of their refunds, newest first."),
  query: {
    item: Query.id(["lst", "soul"], "Only those of this listing or soul.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
    ...pageQuery
  },
  success: pageOf(Schema.Array(Revocation).annotate({ description: "The revocations of the page, newest first." }))
})

/** The operator's routes for items that must not be sold (QUARANTINE-1, QUARANTINE-4, REVOKE-1, REVOKE-7, PURGE-1). */
export const AdminItemsGroup = HttpApiGroup.make("adminItems")
  .add(quarantine, release, revoke, purge, revocations, releases)
  .annotateMerge(OpenApi.annotations({ title: "Operator: items", description: "With the operator's token." }))
