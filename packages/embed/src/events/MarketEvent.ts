import type { WebhookData } from "@agent-marketplace/client/wire/Endpoints"
import type { ConditionKind } from "@agent-marketplace/core/health/Condition"

/** The `data` of every event, by its name. Money is decimal text. */
export interface MarketEventData extends Omit<WebhookData, "webhook.test"> {
  readonly "agent.registered": {
    /** The id of the agent, `agt_…`. */
    readonly agentId: string
  }
  /** A buyer reviewed an item for the first time. */
  readonly "review.posted": {
    readonly reviewId: string
    readonly itemId: string
    readonly name: string
    /** 1 to 5. */
    readonly rating: number
  }
  /** 80 % of a spending limit is reached. */
  readonly "spending.limit_near": {
    readonly window: "daily" | "weekly" | "monthly"
    readonly limit: string
    readonly spent: string
    /** The agent whose own limit it is; null for the account's. */
    readonly agentId: string | null
  }
  readonly "market.degraded": ConditionEventData
  readonly "market.recovered": ConditionEventData
}

/** A condition that started or ended (EVENT-15). */
export interface ConditionEventData {
  readonly kind: ConditionKind
  readonly message: string
  /** What was found, for example the answer of each node. */
  readonly detail: string | null
  /** When the condition was first found; ISO 8601, UTC. */
  readonly since: string
}

/**
 * One event of the market, as its host reads it (EVENT-1 to EVENT-13): comparing `event` narrows `data`. The host sees the data for
 * all recipients, including a purchase's license key.
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
    /** The id of the event's purchase, soul, listing, deposit … */
    readonly subject: string
    /** The accounts whose webhooks receive it. */
    readonly accounts: ReadonlyArray<string>
    readonly data: MarketEventData[Name]
  }
}[E]

export interface EventsOptions {
  /** The cursor of the last handled event; if absent, iteration starts at the market's first event. */
  readonly after?: string | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
}
