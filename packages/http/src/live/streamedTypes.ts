import { streamedEvents } from "@agent-marketplace/api/live/LiveGroup"
import type { EventType } from "@agent-marketplace/core/events/MarketEvent"

/** The types of a reader that did not select any. */
export const everyType: ReadonlySet<EventType> = new Set(streamedEvents)
