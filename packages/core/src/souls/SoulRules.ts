import { Result } from "effect"
import type { ActionState, OperatorAction } from "../admin/OperatorAction.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Conflict } from "../errors/MarketError.ts"
import { causedBy } from "../events/MarketEvent.ts"
import type { EventType, MarketEvent } from "../events/MarketEvent.ts"
import type { AgentId } from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Soul } from "./Soul.ts"

/** A soul after a change, and the events of that change. */
export interface SoulChange {
  readonly soul: Soul
  readonly events: ReadonlyArray<MarketEvent>
  /** The operator's action behind it, for the log (OPERATOR-14). */
  readonly action?: OperatorAction
}

/** What an operator decides about a soul, as the log of actions shows it. */
export const decidedState = ({ suspension }: Soul): NonNullable<ActionState> => ({
  status: suspension === null ? "active" : "suspended",
  suspensionReason: suspension
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

/** The event of a soul that became public for the first time (EVENT-4, EVENT-13). A private soul has none. */
export const published = (soul: Soul, agentId: AgentId | null): ReadonlyArray<MarketEvent> =>
  soul.publishedAt === null
    ? []
    : [soulEvent("soul.created", soul, soul.publishedAt, agentId, { audience: "everyone" })]

/** The author's change. New content makes a new version, which `soul.updated` contains (SOUL-34, SOUL-39). */
export const edited = (before: Soul, patch: Partial<Soul>, now: Timestamp, agentId: AgentId | null): SoulChange => {
  const rewritten = patch.content !== undefined && patch.content !== before.content
  const appears = before.publishedAt === null && patch.visibility === "public"
  const soul: Soul = {
    ...before,
    ...patch,
    version: before.version + (rewritten ? 1 : 0),
    publishedAt: appears ? now : before.publishedAt,
    updatedAt: now
  }
  return {
    soul,
    events: [
      ...(appears ? published(soul, agentId) : []),
      ...(rewritten ? [soulEvent("soul.updated", soul, now, agentId, { audience: "users" })] : [])
    ]
  }
}

/** A suspended soul cannot be listed, found or bought (SOUL-47). */
export const suspension = (before: Soul, reason: string, now: Timestamp): Result.Result<SoulChange, Conflict> =>
  before.suspension === null
    ? Result.succeed({ soul: { ...before, suspension: reason, updatedAt: now }, events: [] })
    : Result.fail(new Conflict({ state: "suspended" }))

export const restoration = (before: Soul, now: Timestamp): Result.Result<SoulChange, Conflict> =>
  before.suspension === null
    ? Result.fail(new Conflict({ state: "active" }))
    : Result.succeed({ soul: { ...before, suspension: null, updatedAt: now }, events: [] })
