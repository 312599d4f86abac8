import type { MarketEvent } from "../events/MarketEvent.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AdvisoryId, ItemId } from "../ids/Ids.ts"
import type { DsseEnvelope } from "../signing/DsseEnvelope.ts"

export const advisorySeverities = ["info", "high", "critical"] as const

export type AdvisorySeverity = (typeof advisorySeverities)[number]

/** What installers do with an installed copy: `note` reports it; `remove` refuses it, and removes it on request (ADVISORY-2). */
export const advisoryActions = ["note", "remove"] as const

export type AdvisoryAction = (typeof advisoryActions)[number]

/** The payload type of the envelopes (ADVISORY-4). */
export const advisoryPayloadType = "application/vnd.agent-marketplace.advisory+json"

/** An advisory as it is recorded with the change that it is about. It is published right afterwards. */
export interface AdvisoryDraft {
  readonly itemId: ItemId
  /** Receives the event too (ADVISORY-7). */
  readonly creatorId: AccountId
  /** Empty if the item has no releases: then it is about every copy of the item. */
  readonly versions: ReadonlyArray<string>
  /** The digests of the archives of these versions, 64 hex digits each. */
  readonly sha256: ReadonlyArray<string>
  readonly severity: AdvisorySeverity
  readonly reason: string
  readonly action: AdvisoryAction
}

/** A published advisory. It never changes, and none is ever removed (ADVISORY-3). */
export interface Advisory extends Omit<AdvisoryDraft, "creatorId"> {
  readonly id: AdvisoryId
  readonly publishedAt: Timestamp
  /** The SHA-256 of the payload of the advisory before this one, in hex; null for the first one (ADVISORY-5). */
  readonly previous: string | null
  readonly envelope: DsseEnvelope
}

/** The signed fields: all of an advisory's fields except its envelope, as they are sent (ADVISORY-4). */
export const advisoryPayload = (advisory: Omit<Advisory, "envelope">) => ({
  id: advisory.id,
  itemId: advisory.itemId,
  versions: advisory.versions,
  sha256: advisory.sha256,
  severity: advisory.severity,
  reason: advisory.reason,
  action: advisory.action,
  publishedAt: Timestamp.toIso(advisory.publishedAt),
  previous: advisory.previous
})

const digits = 13

/** The id of the advisory at this position of the feed, from 1: ids sort as the feed does (ADVISORY-3). */
export const advisoryId = (position: number): AdvisoryId =>
  `adv_${position.toString(32).padStart(digits, "0")}` as AdvisoryId

/** The position of an id in the feed; undefined if the text is not an id. */
export const advisoryPosition = (id: string): number | undefined => {
  if (!/^adv_0[0-9a-v]{12}$/.test(id)) return undefined
  const position = Number.parseInt(id.slice(4), 32)
  return Number.isSafeInteger(position) && position > 0 ? position : undefined
}

/** The event for the creator and for everybody who holds or held a license for the item or downloaded it (ADVISORY-7). */
export const advisoryEvent = (advisory: Advisory, creatorId: AccountId): MarketEvent => ({
  type: "advisory.published",
  at: advisory.publishedAt,
  subject: advisory.itemId,
  accounts: [creatorId],
  audience: "holders",
  data: {
    advisoryId: advisory.id,
    itemId: advisory.itemId,
    versions: advisory.versions,
    severity: advisory.severity,
    action: advisory.action,
    reason: advisory.reason,
    publishedAt: Timestamp.toIso(advisory.publishedAt)
  }
})
