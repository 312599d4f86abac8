import { streamedEvents } from "@agent-marketplace/api/live/LiveGroup"
import type { EventType } from "@agent-marketplace/core/events/MarketEvent"

/** The types that a reader gets by default. */
export const everyType: ReadonlySet<EventType> = new Set(streamedEvents)
