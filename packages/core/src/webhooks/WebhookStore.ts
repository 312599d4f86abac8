import type { Effect, Option, Result, Stream } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, QuotaExceeded, StoreUnavailable } from "../errors/MarketError.ts"
import type { LoggedEvent } from "../events/EventLog.ts"
import type { AccountId, AgentId, DeliveryId, WebhookId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { ClaimedDelivery, Delivery, DeliveryAttempt, DeliveryStatus, LoggedDelivery } from "./Delivery.ts"
import type { Webhook, WebhookEvent } from "./Webhook.ts"

/** `fanOut`: what an event becomes for the subscriptions of the accounts it names. Pure. */
export type FanOut = (event: LoggedEvent, webhooks: ReadonlyArray<Webhook>) => ReadonlyArray<Delivery>

/** `attemptRule`: what a delivery and its subscription become after an attempt. Pure. */
export type AttemptRule = (state: DeliveryState, made: MadeAttempt) => DeliveryState

export interface DeliveryState {
  readonly delivery: Delivery
  readonly webhook: Webhook
  /** Whether the attempt was made under the claim that the delivery is held with now. */
  readonly holds: boolean
}

/** An attempt that was made, on its way into the log. */
export interface MadeAttempt {
  readonly deliveryId: DeliveryId
  readonly claim: string
  readonly attempt: DeliveryAttempt
  /** `Retry-After` of the answer. */
  readonly retryAfter: string | null
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined
  readonly event?: WebhookEvent | undefined
  readonly limit: number
  /** The last delivery of the page before; nothing follows one that is gone. */
  readonly after?: DeliveryId | undefined
}

export interface DeliveryPage {
  readonly items: ReadonlyArray<LoggedDelivery>
  /** `after` of the next page; null where this page is the last one. */
  readonly next: DeliveryId | null
}

export interface ClaimRequest {
  readonly now: Timestamp
  /** At most so many in all. */
  readonly limit: number
  /** At most so many held at once for one subscription, over all workers; one where `ReceiverHealth.isProbing`. */
  readonly perWebhook: number
  /** At most so many held at once for one `hostOf` host, over all workers. */
  readonly perHost: number
  /** How long the claim holds, in real time, not the market's. */
  readonly leaseSeconds: number
}

/** What waits to be sent. */
export interface Backlog {
  /** Deliveries of active subscriptions whose time has come, held ones and those of paused receivers too. */
  readonly due: number
  /** Since when the longest of them has been due; null where nothing is. */
  readonly oldestDueAt: Timestamp | null
}

/**
 * Subscriptions and deliveries.
 *
 * Contract: each method is one transaction. Times are the market's and come from the caller, except leases, which run in real time.
 * A rule is given the records as they are locked in the transaction, and what it gives is written in the same one; what it gives back
 * unchanged (the same object) need not be written.
 */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** It gets what is appended to the log from now on, and nothing from before. */
    readonly create: (webhook: Webhook) => Effect.Effect<void, AccountFrozen | QuotaExceeded | StoreUnavailable>
    readonly find: (id: WebhookId) => Effect.Effect<Option.Option<Webhook>, StoreUnavailable>
    /** Newest first; with an agent, only those that its key made. */
    readonly list: (
      account: AccountId,
      agent: AgentId | null,
      page: PageRequest
    ) => Effect.Effect<Page<Webhook>, StoreUnavailable>
    /**
     * None where the account has no such subscription. A rule that disables it also takes the time of the next attempt from all of its
     * deliveries that are pending: they wait for a recovery.
     */
    readonly update: <E>(
      id: WebhookId,
      account: AccountId,
      rule: (webhook: Webhook) => Result.Result<Webhook, E>
    ) => Effect.Effect<Option.Option<Webhook>, E | StoreUnavailable>
    /** With its deliveries and their log; false where the account has no such subscription. */
    readonly remove: (id: WebhookId, account: AccountId) => Effect.Effect<boolean, StoreUnavailable>

    /**
     * Takes the next events of the log, at most `limit`, and makes the deliveries that `fanOut` gives for them and the subscriptions,
     * active and disabled, that the accounts of each event had when it was appended. `fanOut` gets an event with the accounts of its
     * audience among its accounts. The reader's cursor is kept in the store and moves
     * in the same transaction, so that each event is fanned out exactly once per subscription (EVENT-14) however many workers do it at once and
     * however late a transaction commits (the order and the guarantee of `EventLog.read`). A change of a subscription's status comes either
     * before it, and is seen, or after it, and is applied to what it made. Answers how many events it took; fewer than `limit` means
     * that there are no more.
     */
    readonly dispatch: (limit: number, fanOut: FanOut) => Effect.Effect<number, StoreUnavailable>
    /** Puts in a delivery that no event of the log stands behind, held by the caller from the start. None where the subscription is gone. */
    readonly add: (
      delivery: Delivery,
      leaseSeconds: number
    ) => Effect.Effect<Option.Option<ClaimedDelivery>, StoreUnavailable>

    /**
     * Takes deliveries to send, the longest due first within a subscription, no subscription and no host beyond its limit, so that the backlog of
     * one holds up no other. Only what is pending, due at `now`, held by nobody, and of a subscription that is active and not paused at
     * `now` (`ReceiverHealth`). What another transaction has locked is skipped, not waited for. A claim ends when its lease
     * does: what a killed worker held is claimed again. Two claims in the same moment may each fill up the same limit.
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
    /**
     * Writes attempts to the log, in the order given, and applies the rule to each in turn; the claim under which each was made ends. An attempt
     * whose claim has ended meanwhile is logged too (`holds` is false for the rule), and does not end another's claim. A rule that disables
     * the subscription acts as in `update`. Attempts of deliveries that are gone are dropped.
     */
    readonly record: (attempts: ReadonlyArray<MadeAttempt>, rule: AttemptRule) => Effect.Effect<void, StoreUnavailable>
    /** Gives claims back unused: they can be claimed again at once. */
    readonly release: (
      claims: ReadonlyArray<Pick<MadeAttempt, "deliveryId" | "claim">>
    ) => Effect.Effect<void, StoreUnavailable>

    /** With the subscription it belongs to. */
    readonly findDelivery: (
      id: DeliveryId
    ) => Effect.Effect<
      Option.Option<{ readonly delivery: LoggedDelivery; readonly webhook: Webhook }>,
      StoreUnavailable
    >
    /** The newest events first. */
    readonly listDeliveries: (
      webhook: WebhookId,
      filter: DeliveryFilter
    ) => Effect.Effect<DeliveryPage, StoreUnavailable>
    /**
     * Begins a new run of the schedule, due at `now`, whatever its status; a claim on it goes on. False, and no change, where it is gone or its
     * subscription is disabled.
     */
    readonly replay: (id: DeliveryId, now: Timestamp) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Replays everything of the subscription that is not delivered and whose event happened at `since` or later; what is pending with a
     * next attempt becomes due at `now` too. Answers how many; 0, and no change, where the subscription is gone or disabled.
     */
    readonly recover: (webhook: WebhookId, since: Timestamp, now: Timestamp) => Effect.Effect<number, StoreUnavailable>
    /**
     * Deletes at most `limit` deliveries, with their log, whose event happened before `before` and that wait for no attempt and are held by
     * nobody. Answers how many; fewer than `limit` means that there are no more.
     */
    readonly prune: (before: Timestamp, limit: number) => Effect.Effect<number, StoreUnavailable>

    readonly backlog: (now: Timestamp) => Effect.Effect<Backlog, StoreUnavailable>
    /**
     * Ticks soon after any process made deliveries due (`dispatch`, `release`, `replay`, `recover`, a subscription that is active again); also at
     * the start, and ticks may be joined, lost, or come when nothing is due.
     */
    readonly due: Stream.Stream<void>
  }
>()("@agent-marketplace/core/webhooks/WebhookStore") {}
