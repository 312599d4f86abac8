import { Result } from "effect"
import type { ActionState, OperatorAction } from "../admin/OperatorAction.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Conflict, NameTooSimilar } from "../errors/MarketError.ts"
import { causedBy } from "../events/MarketEvent.ts"
import type { EventType, MarketEvent } from "../events/MarketEvent.ts"
import type { AgentId } from "../ids/Ids.ts"
import type { ReasonCode } from "../moderation/ReasonCode.ts"
import { Usdt } from "../money/Usdt.ts"
import type { NameFindings } from "../names/NameFindings.ts"
import { releaseEvent } from "../releases/releaseEvent.ts"
import type { ReleaseHead, ReleaseReason } from "../releases/Release.ts"
import type { ItemReleasesChange, ItemReleasesState } from "../releases/ItemReleases.ts"
import { itemReleasesState } from "../releases/ItemReleases.ts"
import { releasedSoul } from "../releases/ReleasedItems.ts"
import type { Soul } from "./Soul.ts"
import { isListed } from "./Soul.ts"
import type { SoulRelease } from "./SoulRelease.ts"

/** A soul after a change, and the events of that change. */
export interface SoulChange {
  readonly soul: Soul
  readonly events: ReadonlyArray<MarketEvent>
  /** The release of its new version, which the soul shows only if it is on sale. */
  readonly release?: SoulRelease
  /** The operator's action behind it, for the log (OPERATOR-14). */
  readonly action?: OperatorAction
}

/** What an operator decides about a soul, as the log of actions shows it. */
export const decidedState = ({ reasonCode, suspension }: Soul): NonNullable<ActionState> => ({
  status: suspension === null ? "active" : "suspended",
  suspensionReason: suspension,
  reasonCode
})

/** An event about a soul; `agentId` is the agent that caused it. */
export const soulEvent = (
  type: EventType,
  soul: Soul,
  at: Timestamp,
  agentId: AgentId | null,
  audience: Pick<MarketEvent, "audience"> = {}
): MarketEvent => ({
  type,
  at,
  subject: soul.id,
  accounts: [soul.authorId],
  ...audience,
  ...causedBy(agentId),
  data: {
    soulId: soul.id,
    slug: soul.slug,
    name: soul.name,
    author: soul.author,
    price: Usdt.format(soul.price),
    currency: "USDC",
    category: soul.category,
    version: soul.version
  }
})

/** The soul after a change, with the events of what everybody sees since (EVENT-4, EVENT-13, SOUL-51). A private soul has none of `soul.created`. */
const announced = (before: Soul, after: Soul, at: Timestamp, agentId: AgentId | null): SoulChange => {
  const appears = before.publishedAt === null && isListed(after)
  const soul = appears ? { ...after, publishedAt: at } : after
  // The first version on sale is no update.
  const renewed = after.version > before.version && !after.deleted && !(appears && before.quarantined)
  return {
    soul,
    events: [
      ...(appears ? [soulEvent("soul.created", soul, at, agentId, { audience: "everyone" })] : []),
      ...(renewed ? [soulEvent("soul.updated", soul, at, agentId, { audience: "users" })] : [])
    ]
  }
}

const stopEvents = (soul: Soul, { head }: SoulRelease, at: Timestamp): ReadonlyArray<MarketEvent> =>
  head.status === "quarantined" ? [releaseEvent("release.quarantined", { item: releasedSoul(soul) }, head, at)] : []

/** The reason that the author of a soul reads whose name a person must look at first (NAME-3). */
const nameReview = "Waits for a review: its name is the same as that of a popular item, or differs in one character"

/** A soul whose name is nearly that of a popular item is suspended until an operator restores it (NAME-3). */
const reviewed = (soul: Soul, names: NameFindings): Soul =>
  names.popular === null || soul.visibility === "private" || soul.suspension !== null
    ? soul
    : { ...soul, suspension: nameReview, reasonCode: "impersonation" }

const columnsOf = (soul: Soul, releases: ReadonlyArray<ReleaseHead>): ItemReleasesState =>
  itemReleasesState({ item: releasedSoul(soul), releases })

/** A new soul. It is published now, unless it is private, or its name or its text is stopped (SOUL-49). */
export const submitted = (
  created: Soul,
  names: NameFindings,
  release: SoulRelease,
  now: Timestamp,
  agentId: AgentId | null
): SoulChange => {
  const soul = reviewed({ ...created, ...columnsOf(created, [release.head]) }, names)
  const change = announced(soul, soul, now, agentId)
  return { ...change, release, events: [...change.events, ...stopEvents(soul, release, now)] }
}

/** The releases of a soul before the author's change, and that of a new text; null if the text does not change. */
export interface SoulTexts {
  readonly releases: ReadonlyArray<ReleaseHead>
  readonly release: SoulRelease | null
}

/** The author's change. New content makes a new version, which `soul.updated` contains once it is on sale (SOUL-34, SOUL-39, SOUL-51). */
export const edited = (
  before: Soul,
  { content: _, ...patch }: Partial<Soul>,
  names: NameFindings,
  { release, releases }: SoulTexts,
  now: Timestamp,
  agentId: AgentId | null
): Result.Result<SoulChange, NameTooSimilar> => {
  if (names.similar !== null) return Result.fail(new NameTooSimilar({ conflictsWith: names.similar }))
  const { reasonCode, suspension } = reviewed({ ...before, ...patch }, names)
  const soul: Soul = {
    ...before,
    ...patch,
    suspension,
    reasonCode,
    updatedAt: now
  }
  if (release === null) return Result.succeed(announced(before, soul, now, agentId))
  const { content, head, version } = release
  const after: Soul = {
    ...soul,
    ...columnsOf(before, [...releases, head]),
    ...(head.status === "published" ? { content, version } : {})
  }
  const change = announced(before, after, now, agentId)
  return Result.succeed({ ...change, release, events: [...change.events, ...stopEvents(after, release, now)] })
}

/** When the change published a release; undefined if it published none. */
export const publishedAt = ({ events = [] }: ItemReleasesChange): Timestamp | undefined =>
  events.find(({ type }) => type === "release.published")?.at

/**
 * A soul after a change of its releases. `text` is the version that is on sale since, if that is another one; `at` is when a release was
 * published, undefined if none was (SOUL-51, SOUL-52).
 */
export const resold = (
  before: Soul,
  columns: ItemReleasesState & { readonly quarantine: ReleaseReason | null },
  text: Pick<Soul, "content" | "version"> | undefined,
  at: Timestamp | undefined
): SoulChange => {
  const shown = text === undefined ? {} : { content: text.content, version: text.version }
  const after: Soul = { ...before, ...columns, ...shown, updatedAt: at ?? before.updatedAt }
  return at === undefined ? { soul: after, events: [] } : announced(before, after, at, null)
}

/** A suspended soul cannot be listed, found or bought (SOUL-47). */
export const suspension = (
  before: Soul,
  { code, reason }: { readonly reason: string; readonly code: ReasonCode },
  now: Timestamp
): Result.Result<SoulChange, Conflict> =>
  before.suspension === null
    ? Result.succeed({
        soul: { ...before, suspension: reason, reasonCode: code, decidedAt: now, updatedAt: now },
        events: []
      })
    : Result.fail(new Conflict({ state: "suspended" }))

/** Ends a suspension. A soul that waited for its first review is published now. */
export const restoration = (before: Soul, now: Timestamp): Result.Result<SoulChange, Conflict> => {
  if (before.suspension === null) return Result.fail(new Conflict({ state: "active" }))
  const soul: Soul = { ...before, suspension: null, reasonCode: null, decidedAt: null, updatedAt: now }
  return Result.succeed(announced(before, soul, now, null))
}
