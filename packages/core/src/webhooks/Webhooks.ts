import { Context, Effect, Layer, Option, Redacted, Result } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, AgentNotClaimed, Issue, QuotaExceeded, StoreUnavailable } from "../errors/MarketError.ts"
import { Conflict, NotFound, ValidationFailed } from "../errors/MarketError.ts"
import { Traceparent } from "../events/Traceparent.ts"
import type { AccountId, DeliveryId, WebhookId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { LoggedDelivery } from "./Delivery.ts"
import { deliveryIdOf } from "./Delivery.ts"
import { attemptRule } from "./DeliveryRules.ts"
import { DeliverySend } from "./DeliverySend.ts"
import type { DeliveryTimeline, DeliveryTimelineQuery } from "./DeliveryTimeline.ts"
import { deliveryTimelineFilter, deliveryTimelineOf } from "./DeliveryTimeline.ts"
import { Envelope } from "./Envelope.ts"
import { ReceiverHealth } from "./ReceiverHealth.ts"
import { SecretBox } from "./SecretBox.ts"
import { claimSeconds } from "./SendLimits.ts"
import { UrlGuard } from "./UrlGuard.ts"
import type { Webhook, WebhookEvent, WebhookStatus } from "./Webhook.ts"
import { secretOverlap } from "./Webhook.ts"
import { WebhookSecret } from "./WebhookSecret.ts"
import type { DeliveryFilter, DeliveryPage } from "./WebhookStore.ts"
import { WebhookStore } from "./WebhookStore.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

export interface WebhookDraft {
  readonly url: string
  /** Not empty, each one known or `*`. */
  readonly events: ReadonlyArray<WebhookEvent | "*">
  /** If absent, a secret is generated. */
  readonly secret?: Redacted.Redacted | undefined
}

export interface WebhookPatch {
  readonly url?: string | undefined
  readonly events?: ReadonlyArray<WebhookEvent | "*"> | undefined
  readonly status?: WebhookStatus | undefined
}

type Failure = AgentNotClaimed | NotFound | StoreUnavailable

/** Subscriptions to events, and their deliveries (WEBHOOK-1, WEBHOOK-4, DELIVERY-9). */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** The rule violations of a subscription's URL, if it is given. */
    readonly ruleViolations: (request: Pick<WebhookPatch, "url">) => Effect.Effect<ReadonlyArray<Issue>>
    /** `secret` is the generated secret, which is returned only once; null if the caller provided one. */
    readonly create: (
      caller: Caller,
      draft: WebhookDraft
    ) => StoreEffect<
      { readonly webhook: Webhook; readonly secret: Redacted.Redacted | null },
      AccountFrozen | AgentNotClaimed | QuotaExceeded | ValidationFailed
    >
    readonly list: (caller: Caller, page: PageRequest) => StoreEffect<Page<Webhook>, AgentNotClaimed>
    readonly get: (caller: Caller, id: WebhookId) => Effect.Effect<Webhook, Failure>
    /** `active` enables the subscription again and resets the receiver's health; so does a new URL. Missed events still wait for a recovery. */
    readonly update: (
      caller: Caller,
      id: WebhookId,
      patch: WebhookPatch
    ) => Effect.Effect<Webhook, Failure | ValidationFailed>
    readonly remove: (caller: Caller, id: WebhookId) => Effect.Effect<void, Failure>
    /** Generates a new secret. The old one is also used for signatures for 24 hours. */
    readonly rotateSecret: (caller: Caller, id: WebhookId) => Effect.Effect<Redacted.Redacted, Failure>
    /** Sends `webhook.test` now. The result contains the first attempt. A failed one is retried like any other delivery. */
    readonly test: (caller: Caller, id: WebhookId) => Effect.Effect<LoggedDelivery, Conflict | Failure>
    readonly deliveries: (caller: Caller, id: WebhookId, filter: DeliveryFilter) => Effect.Effect<DeliveryPage, Failure>
    /** The deliveries of one subscription, or of all that the caller manages, by day and status (DELIVERY-15). */
    readonly deliveryTimeline: (
      caller: Caller,
      query: DeliveryTimelineQuery
    ) => Effect.Effect<DeliveryTimeline, Failure | ValidationFailed>
    /** Sends a delivery again, whatever its status. Its subscription must be active. */
    readonly replay: (caller: Caller, id: DeliveryId) => Effect.Effect<LoggedDelivery, Conflict | Failure>
    /** Sends all undelivered events since then again and returns their number. The subscription must be active. */
    readonly recover: (caller: Caller, id: WebhookId, since: Timestamp) => Effect.Effect<number, Conflict | Failure>
  }
>()("@agent-marketplace/core/webhooks/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const box = yield* SecretBox
      const clock = yield* MarketClock
      const guard = yield* UrlGuard
      const ids = yield* idGenerator
      const sending = yield* DeliverySend
      const store = yield* WebhookStore

      const missing = new NotFound({ resource: "WEBHOOK" })
      const noDelivery = new NotFound({ resource: "DELIVERY" })
      const disabled = new Conflict({ state: "disabled", reason: "the webhook must be active" })

      const owned = Effect.fnUntraced(function* (caller: Caller, id: WebhookId) {
        const owner = yield* ownerOf(caller)
        const found = yield* store.find(id)
        return Option.isSome(found) && mayManage(caller, owner, found.value) ? found.value : yield* missing
      })

      const ownedDelivery = Effect.fnUntraced(function* (caller: Caller, id: DeliveryId) {
        const owner = yield* ownerOf(caller)
        const found = yield* store.findDelivery(id)
        return Option.isSome(found) && mayManage(caller, owner, found.value.webhook) ? found.value : yield* noDelivery
      })

      const ruleViolations = ({ url }: Pick<WebhookPatch, "url">): Effect.Effect<ReadonlyArray<Issue>> =>
        url === undefined
          ? Effect.succeed([])
          : Effect.match(guard.check(url), {
              onSuccess: () => [],
              onFailure: ({ reason }) => [{ path: "url", message: reason }]
            })

      /** Asking for a replay implies that the receiver has recovered. */
      const endPause = ({ accountId, health, id }: Webhook) =>
        ReceiverHealth.resumed(health) === health
          ? Effect.void
          : store.update(id, accountId, (webhook) =>
              Result.succeed({ ...webhook, health: ReceiverHealth.resumed(webhook.health) })
            )

      const newSecret = Effect.map(ids.bytes(24), (bytes) => Redacted.make(WebhookSecret.make(bytes)))

      return {
        ruleViolations,
        create: Effect.fn("Webhooks.create")(function* (caller, { events, secret, url }) {
          const accountId = yield* ownerOf(caller)
          const problem = secret === undefined ? undefined : WebhookSecret.problem(Redacted.value(secret))
          const issues = [
            ...(yield* ruleViolations({ url })),
            ...(problem === undefined ? [] : [{ path: "secret", message: problem }])
          ]
          if (issues.length > 0) return yield* new ValidationFailed({ issues })
          const id = yield* ids.make("webhook")
          const used = secret ?? (yield* newSecret)
          const webhook: Webhook = {
            id,
            accountId,
            agentId: caller.agentId,
            url,
            events: [...new Set(events)],
            status: "active",
            secret: yield* box.seal(used, id),
            previous: null,
            health: ReceiverHealth.healthy,
            createdAt: yield* clock.now
          }
          yield* store.create(webhook)
          return { webhook, secret: secret === undefined ? used : null }
        }),
        list: Effect.fn("Webhooks.list")(function* (caller, page) {
          return yield* store.list(yield* ownerOf(caller), caller.agentId, page)
        }),
        get: Effect.fn("Webhooks.get")(function* (caller, id) {
          return yield* owned(caller, id)
        }),
        update: Effect.fn("Webhooks.update")(function* (caller, id, patch) {
          const { accountId } = yield* owned(caller, id)
          const issues = yield* ruleViolations(patch)
          if (issues.length > 0) return yield* new ValidationFailed({ issues })
          const updated = yield* store.update(id, accountId, (webhook) => Result.succeed(patched(webhook, patch)))
          return Option.isNone(updated) ? yield* missing : updated.value
        }),
        remove: Effect.fn("Webhooks.remove")(function* (caller, id) {
          const { accountId } = yield* owned(caller, id)
          if (!(yield* store.remove(id, accountId))) return yield* missing
        }),
        rotateSecret: Effect.fn("Webhooks.rotateSecret")(function* (caller, id) {
          const { accountId } = yield* owned(caller, id)
          const secret = yield* newSecret
          const sealed = yield* box.seal(secret, id)
          const until = (yield* clock.now) + secretOverlap
          const updated = yield* store.update(id, accountId, (webhook) =>
            Result.succeed({ ...webhook, secret: sealed, previous: { secret: webhook.secret, until } })
          )
          return Option.isNone(updated) ? yield* missing : secret
        }),
        test: Effect.fn("Webhooks.test")(function* (caller, id) {
          const { status } = yield* owned(caller, id)
          if (status === "disabled") return yield* disabled
          const at = yield* clock.now
          const event = { type: "webhook.test", at, data: { webhookId: id } } as const
          const added = yield* store.add(
            Traceparent.on(
              {
                id: deliveryIdOf(`evt_${yield* ids.random(16)}`, id),
                webhookId: id,
                event: event.type,
                eventAt: at,
                payload: Envelope.payload(event),
                status: "pending",
                tries: 0,
                nextAttemptAt: at
              },
              Traceparent.current()
            ),
            claimSeconds
          )
          if (Option.isNone(added)) return yield* missing
          yield* store.record([yield* sending.attempt(added.value)], attemptRule)
          return (yield* ownedDelivery(caller, added.value.delivery.id)).delivery
        }),
        deliveries: Effect.fn("Webhooks.deliveries")(function* (caller, id, filter) {
          yield* owned(caller, id)
          return yield* store.listDeliveries(id, filter)
        }),
        deliveryTimeline: Effect.fn("Webhooks.deliveryTimeline")(function* (caller, query) {
          const bounds = yield* Effect.fromResult(deliveryTimelineFilter(query, yield* clock.now))
          const { webhook } = query
          if (webhook !== null) yield* owned(caller, webhook)
          const filter = { ...bounds, webhook, agent: caller.agentId }
          return deliveryTimelineOf(bounds, yield* store.countDeliveries(yield* ownerOf(caller), filter))
        }),
        replay: Effect.fn("Webhooks.replay")(function* (caller, id) {
          yield* endPause((yield* ownedDelivery(caller, id)).webhook)
          const replayed = yield* store.replay(id, yield* clock.now)
          const after = yield* ownedDelivery(caller, id)
          return replayed ? after.delivery : yield* disabled
        }),
        recover: Effect.fn("Webhooks.recover")(function* (caller, id, since) {
          const webhook = yield* owned(caller, id)
          if (webhook.status === "disabled") return yield* disabled
          yield* endPause(webhook)
          return yield* store.recover(id, since, yield* clock.now)
        })
      }
    })
  )
}

/** An agent's key manages its own subscriptions, an owner's key all of the account's (WEBHOOK-5, WEBHOOK-16). */
const mayManage = ({ agentId }: Caller, owner: AccountId, webhook: Webhook): boolean =>
  webhook.accountId === owner && (agentId === null || webhook.agentId === agentId)

const patched = (webhook: Webhook, { events, status, url }: WebhookPatch): Webhook => {
  const moved = url !== undefined && url !== webhook.url
  const enabled = status === "active" && webhook.status === "disabled"
  return {
    ...webhook,
    url: url ?? webhook.url,
    events: events === undefined ? webhook.events : [...new Set(events)],
    status: status ?? webhook.status,
    health: moved || enabled ? ReceiverHealth.healthy : webhook.health
  }
}
