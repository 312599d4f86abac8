import type { WebhookData } from "@agent-marketplace/client/wire/Endpoints"

/** The `data` of every event, by its name. Money is a decimal text. */
export interface MarketEventData extends Omit<WebhookData, "webhook.test"> {
  readonly "agent.registered": {
    /** The agent, `agt_…`. */
    readonly agentId: string
  }
}

/**
 * One event of the market, as its host reads it (EVENT-1 to EVENT-13): comparing `event` narrows `data`. The host sees the data of
 * each side, so a purchase's license key too.
 */
export type MarketEvent<E extends keyof MarketEventData = keyof MarketEventData> = {
  readonly [Name in E]: {
    /** Unique, `evt_…`. */
    readonly id: string
    /** Its position in the log: `market.events({ after: cursor })` continues after it. */
    readonly cursor: string
    readonly event: Name
    /** ISO 8601, UTC. */
    readonly timestamp: string
    /** The id of the purchase, soul, listing, deposit … that it is about. */
    readonly subject: string
    /** The accounts whose webhooks get it. */
    readonly accounts: ReadonlyArray<string>
    readonly data: MarketEventData[Name]
  }
}[E]

export interface EventsOptions {
  /** The cursor of the last event that was handled; absent: from the market's first event. */
  readonly after?: string | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
}
