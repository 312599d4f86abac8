import type { EventData, EventType } from "@agent-marketplace/core/events/MarketEvent"

/** One fact of the market, told to its host (EVENT-1 to EVENT-13). */
export interface Happening {
  /** Unique for ever, `evt_…`. */
  readonly id: string
  /** Where it stands in the log: `market.events({ after: cursor })` goes on behind it. */
  readonly cursor: string
  readonly event: EventType
  /** ISO 8601, UTC. */
  readonly timestamp: string
  /** The id of what it is about. */
  readonly subject: string
  /** The accounts that webhooks tell it to. */
  readonly accounts: ReadonlyArray<string>
  /** Money as decimal texts. A purchase's holds its license key: the host sees what each side sees. */
  readonly data: EventData
}

export interface EventsOptions {
  /** The cursor of the last event that was dealt with; from the beginning of the market where absent. */
  readonly after?: string | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
}
