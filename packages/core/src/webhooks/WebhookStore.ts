import type { Option, Result, Stream } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, QuotaExceeded } from "../errors/MarketError.ts"
import type { LoggedEvent } from "../events/EventLog.ts"
import type { AccountId, AgentId, DeliveryId, WebhookId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { ClaimedDelivery, Delivery, DeliveryAttempt, DeliveryStatus, LoggedDelivery } from "./Delivery.ts"
import type { DeliveryCount, DeliveryTimelineFilter } from "./DeliveryTimeline.ts"
import type { Webhook, WebhookEvent } from "./Webhook.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** `fanOut`: the deliveries of an event to the subscriptions of its accounts. Pure. */
export type FanOut = (event: LoggedEvent, webhooks: ReadonlyArray<Webhook>) => ReadonlyArray<Delivery>

/** `attemptRule`: the state of a delivery and its subscription after an attempt. Pure. */
export type AttemptRule = (state: DeliveryState, made: MadeAttempt) => DeliveryState

export interface DeliveryState {
  readonly delivery: Delivery
  readonly webhook: Webhook
  /** Whether the attempt was made under the present claim of the delivery. */
  readonly holds: boolean
}

/** A finished attempt that is to be logged. */
export interface MadeAttempt {
  readonly deliveryId: DeliveryId
  readonly claim: string
  readonly attempt: DeliveryAttempt
  /** The `Retry-After` header of the response. */
  readonly retryAfter: string | null
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined
  readonly event?: WebhookEvent | undefined
  readonly limit: number
  /** The last delivery of the previous page. If it has been deleted, the page is empty. */
  readonly after?: DeliveryId | undefined
}

export interface DeliveryPage {
  readonly items: ReadonlyArray<LoggedDelivery>
  /** The `after` of the next page; null on the last page. */
  readonly next: DeliveryId | null
}

export interface ClaimRequest {
  readonly now: Timestamp
  /** The maximum number of claims. */
  readonly limit: number
  /** The maximum number of claimed deliveries for one subscription, over all workers; one if `ReceiverHealth.isProbing`. */
  readonly perWebhook: number
  /** The maximum number of claimed deliveries for one `hostOf` host, over all workers. */
  readonly perHost: number
  /** How long the claim is valid, in real time, not the market's. */
  readonly leaseSeconds: number
}

/** The queue of deliveries. */
export interface Backlog {
  /** Due deliveries of active subscriptions, including claimed ones and those of paused receivers. */
  readonly due: number
  /** When the oldest due delivery became due; null if there is none. */
  readonly oldestDueAt: Timestamp | null
}

/**
 * Subscriptions and deliveries.
 *
 * Contract: each method is one transaction. Times are the market's and come from the caller, except leases, which run in real time.
 * A rule is given the records as they are locked in the transaction, and its result is written in the same one; a record that it returns
 * unchanged (the same object) need not be written.
 */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** The subscription receives events that are appended from now on, and no earlier ones. */
    readonly create: (webhook: Webhook) => StoreEffect<void, AccountFrozen | QuotaExceeded>
    readonly find: (id: WebhookId) => StoreEffect<Option.Option<Webhook>>
    /** Newest first. With an agent, only those created with its key. */
    readonly list: (account: AccountId, agent: AgentId | null, page: PageRequest) => StoreEffect<Page<Webhook>>
    /**
     * None if the account has no such subscription. A rule that disables it also clears the time of the next attempt of all its pending deliveries,
     * which then wait for a recovery.
     */
    readonly update: <E>(
      id: WebhookId,
      account: AccountId,
      rule: (webhook: Webhook) => Result.Result<Webhook, E>
    ) => StoreEffect<Option.Option<Webhook>, E>
    /** Also deletes its deliveries and their log. False if the account has no such subscription. */
    readonly remove: (id: WebhookId, account: AccountId) => StoreEffect<boolean>

    /**
     * Takes the next events of the log, at most `limit`, and creates the deliveries that `fanOut` returns for them and the subscriptions,
     * active and disabled, that the accounts of each event had when it was appended. `fanOut` gets an event with the accounts of its
     * audience among its accounts. The reader's cursor is kept in the store and moves
     * in the same transaction, so that each event is fanned out exactly once per subscription (EVENT-14) however many workers do it concurrently and
     * however late a transaction commits (the order and the guarantee of `EventLog.read`). A change of a subscription's status happens either
     * before it, and is seen, or after it, and is applied to the deliveries it made. Returns the number of events taken; fewer than `limit` means
     * that there are no more.
     */
    readonly dispatch: (limit: number, fanOut: FanOut) => StoreEffect<number>
    /** Adds a delivery without an event in the log, claimed by the caller from the start. None if the subscription does not exist. */
    readonly add: (delivery: Delivery, leaseSeconds: number) => StoreEffect<Option.Option<ClaimedDelivery>>

    /**
     * Claims deliveries to send, the longest due first within a subscription, no subscription and no host beyond its limit, so that the backlog of
     * one does not delay the others. Only deliveries that are pending, due at `now`, unclaimed, and of a subscription that is active and not paused at
     * `now` (`ReceiverHealth`). Rows that another transaction has locked are skipped. A claim ends when its lease
     * does: the deliveries of a killed worker are claimed again. Two concurrent claims may each use up the same limit.
     */
    readonly claim: (request: ClaimRequest) => StoreEffect<ReadonlyArray<ClaimedDelivery>>
    /**
     * Logs attempts in the given order and applies the rule to each in turn. The claim of each attempt ends. An attempt
     * whose claim has already ended is logged too (`holds` is false for the rule), and does not end another's claim. A rule that disables
     * the subscription acts as in `update`. Attempts of deleted deliveries are dropped.
     */
    readonly record: (attempts: ReadonlyArray<MadeAttempt>, rule: AttemptRule) => StoreEffect<void>
    /** Releases unused claims, so that they can be claimed again immediately. */
    readonly release: (claims: ReadonlyArray<Pick<MadeAttempt, "deliveryId" | "claim">>) => StoreEffect<void>

    /** Returns the delivery with its subscription. */
    readonly findDelivery: (
      id: DeliveryId
    ) => StoreEffect<Option.Option<{ readonly delivery: LoggedDelivery; readonly webhook: Webhook }>>
    /** The newest events first. */
    readonly listDeliveries: (webhook: WebhookId, filter: DeliveryFilter) => StoreEffect<DeliveryPage>
    /** How many deliveries of the account's subscriptions have each status, by the UTC day of the event; the earliest day first (DELIVERY-15). */
    readonly countDeliveries: (
      account: AccountId,
      filter: DeliveryTimelineFilter
    ) => StoreEffect<ReadonlyArray<DeliveryCount>>
    /**
     * Starts a new run of the schedule, due at `now`, whatever the delivery's status. An existing claim remains. False, without a change, if the
     * delivery does not exist or its subscription is disabled.
     */
    readonly replay: (id: DeliveryId, now: Timestamp) => StoreEffect<boolean>
    /**
     * Replays every undelivered delivery of the subscription whose event happened at `since` or later. Pending ones with a scheduled attempt
     * become due at `now` too. Returns the number; 0, without a change, if the subscription does not exist or is disabled.
     */
    readonly recover: (webhook: WebhookId, since: Timestamp, now: Timestamp) => StoreEffect<number>
    /**
     * Deletes at most `limit` deliveries with their log, if their event happened before `before`, no attempt is scheduled, and they are not
     * claimed. Returns the number; fewer than `limit` means that there are no more. A store that deletes old deliveries in bulk does that first, does
     * not count them, and may keep them up to a week longer for it.
     */
    readonly prune: (before: Timestamp, limit: number) => StoreEffect<number>

    readonly backlog: (now: Timestamp) => StoreEffect<Backlog>
    /**
     * Ticks soon after any process made deliveries due (`dispatch`, `release`, `replay`, `recover`, an activated subscription), and at the start.
     * Ticks may be merged or lost, and may occur when nothing is due.
     */
    readonly due: Stream.Stream<void>
  }
>()("@agent-marketplace/core/webhooks/WebhookStore") {}
