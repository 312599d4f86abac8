import { Clock, Context, Deferred, Effect, Exit, Layer, Redacted, Stream } from "effect"
import { Mac } from "effect/crypto"
import { Timestamp } from "../clock/Timestamp.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import { ReadPoint, startOfStore } from "../consistency/ReadPoint.ts"
import type { EventCursor } from "../events/EventLog.ts"
import { EventLog } from "../events/EventLog.ts"
import { Usdt } from "../money/Usdt.ts"
import { ActivityStore } from "./ActivityStore.ts"
import type { Activity, FeedEvent } from "./ActivityStore.ts"
import { DisplayName } from "./DisplayName.ts"

const sea = ["🦀", "🐙", "🦞", "🐠", "🐳"] as const

/** The icons of the feed (FEED-5, FEED-17). */
export const Emoji = {
  purchase: "🛍️",
  earning: "💰",
  listing: "✨",
  /** The emoji shown for an agent; they identify nobody. */
  sea
} as const

/** One of the five sea creatures; any finite number will do as the seed. */
export const seaEmoji = (seed: number): string => sea[Math.abs(Math.trunc(seed)) % sea.length] ?? sea[0]

/** The maximum number of items in a response. */
const feedLimit = 50

/** A snapshot is read again if something was appended since, and at least this often. */
const maxAgeMillis = 1000

/** The statistics of the response while the store is unavailable (FEED-18). */
const nothing = `{"activities":[],"stats":{"activeAgents":0,"tradesLast24h":0,"revenueLast24h":"0"}}`

const prefixes = { purchase: "purchase-", earning: "earning-", registration: "reg-", listing: "listing-" } as const

/** The message of an item (FEED-6, FEED-17); `emoji` replaces the person's identity and differs from item to item. */
const describe = (event: FeedEvent, emoji: string): { readonly icon: string; readonly message: string } => {
  switch (event.type) {
    case "purchase":
      return { icon: Emoji.purchase, message: `${emoji} traded ${DisplayName.publicItem(event.name)}` }
    case "earning":
      return { icon: Emoji.earning, message: `Earned $${Usdt.format(event.amount)} USDT` }
    case "registration":
      return { icon: emoji, message: `Agent ${emoji} registered` }
    case "listing":
      return {
        icon: Emoji.listing,
        message: `${DisplayName.public(event.creator)} listed ${DisplayName.publicItem(event.name)}`
      }
  }
}

/** An item of the feed as JSON. */
export interface FeedItem {
  readonly id: string
  readonly json: string
}

interface Snapshot {
  readonly items: ReadonlyArray<FeedItem>
  readonly stats: string
  /** The complete response for each limit, built on the first request. */
  readonly answers: Map<number, string>
}

interface DatedSnapshot {
  readonly value: Snapshot
  /** Milliseconds of the process's clock. */
  readonly readAt: number
}

/** The public feed (FEED-1, FEED-3, FEED-14). Never fails, and never reveals anybody's identity (FEED-15). */
export class ActivityFeed extends Context.Service<
  ActivityFeed,
  {
    /** The response as JSON for a `limit` of 1 to {@link feedLimit}; zeros if nothing can be read. */
    readonly live: (limit: number) => Effect.Effect<string>
    /** The last response, however old, without a read of the store: for readers above their rate limit. */
    readonly last: (limit: number) => Effect.Effect<string>
    /** The newest items, oldest first, and the statistics; undefined if nothing can be read. */
    readonly snapshot: Effect.Effect<{ readonly items: ReadonlyArray<FeedItem>; readonly stats: string } | undefined>
    /** The items of the events after the first position of the log, up to the second one; oldest first. */
    readonly happened: (after: EventCursor, upTo: EventCursor) => StoreEffect<ReadonlyArray<FeedItem>>
  }
>()("@agent-marketplace/core/activity/ActivityFeed") {
  static readonly layer = Layer.effect(
    ActivityFeed,
    Effect.gen(function* () {
      const store = yield* ActivityStore
      const log = yield* EventLog
      const mac = yield* Mac.Mac
      const { secret } = yield* MarketConfig
      const encoder = new TextEncoder()
      const key = yield* Effect.orDie(Mac.key(Mac.hmacSha256, encoder.encode(Redacted.value(secret))))

      let changes = 0

      // Listens before the first snapshot: an event that was missed would leave the snapshot outdated until it expires.
      yield* Effect.forkScoped(
        Stream.runForEach(log.appended, () =>
          Effect.sync(() => {
            changes++
          })
        ),
        { startImmediately: true }
      )

      const item = Effect.fnUntraced(function* (event: FeedEvent): Effect.fn.Return<FeedItem> {
        const name = `${prefixes[event.type]}${event.key}`
        const tag = yield* Effect.orDie(mac.sign(key, encoder.encode(name)))
        let id = ""
        for (const byte of tag.subarray(0, 12)) id += byte.toString(16).padStart(2, "0")
        const { icon, message } = describe(event, seaEmoji(tag[31] ?? 0))
        const shownId = `${prefixes[event.type]}${id}`
        const json = JSON.stringify({
          id: shownId,
          type: event.type,
          icon,
          message,
          timestamp: Timestamp.toIso(event.at),
          ...(event.type === "purchase" || event.type === "earning" ? { amount: Usdt.format(event.amount) } : {})
        })
        return { id: shownId, json }
      })

      const render = Effect.fnUntraced(function* (activity: Activity) {
        const { activeAgents, events, revenue, trades } = activity
        const items = yield* Effect.forEach(events, item)
        const stats = JSON.stringify({
          activeAgents,
          tradesLast24h: trades,
          revenueLast24h: Usdt.format(revenue)
        })
        return { items, stats, answers: new Map() }
      })

      const answer = (from: Snapshot | undefined, limit: number): string => {
        if (from === undefined) return nothing
        let text = from.answers.get(limit)
        if (text === undefined) {
          const items = from.items.slice(0, limit).map(({ json }) => json)
          text = `{"activities":[${items.join(",")}],"stats":${from.stats}}`
          from.answers.set(limit, text)
        }
        return text
      }

      const makeSnapshots = () => {
        let snapshot: DatedSnapshot | undefined
        let seen = -1
        let reading: Deferred.Deferred<Snapshot | undefined> | undefined

        /** Concurrent requests share one read of the store. A failed read is not cached and yields an empty feed. */
        const read = Effect.fnUntraced(function* (now: number) {
          if (reading !== undefined) return yield* Deferred.await(reading)
          const mine = Deferred.makeUnsafe<Snapshot | undefined>()
          reading = mine
          const before = changes
          const exit = yield* Effect.exit(Effect.flatMap(store.recent(feedLimit), render))
          reading = undefined
          const value: Snapshot | undefined = Exit.isSuccess(exit) ? exit.value : undefined
          if (value !== undefined) {
            snapshot = { value, readAt: now }
            seen = before
          }
          Deferred.doneUnsafe(mine, Effect.succeed(value))
          return value
        })

        const fresh = Effect.flatMap(Clock.currentTimeMillis, (now) =>
          snapshot !== undefined && seen === changes && Math.abs(now - snapshot.readAt) < maxAgeMillis
            ? Effect.succeed<Snapshot | undefined>(snapshot.value)
            : Effect.uninterruptible(read(now))
        )
        return { fresh, last: () => snapshot }
      }
      /** The snapshot for readers who have written nothing, if there are replicas. */
      const shared = makeSnapshots()
      /** The snapshot for all others, and for streams, which continue where it ends. */
      const newest = makeSnapshots()
      const latest = Effect.provideService(newest.fresh, ReadPoint, null)
      const last = () => {
        const [a, b] = [shared.last(), newest.last()]
        return a === undefined || (b !== undefined && b.readAt > a.readAt) ? b : a
      }

      return {
        live: (limit) =>
          Effect.flatMap(ReadPoint, (after) =>
            Effect.map(after === startOfStore ? shared.fresh : latest, (value) => answer(value, limit))
          ),
        snapshot: Effect.map(latest, (value) => value && { items: value.items.toReversed(), stats: value.stats }),
        happened: (after, upTo) => Effect.flatMap(store.happened(after, upTo), Effect.forEach(item)),
        last: (limit) => Effect.sync(() => answer(last()?.value, limit))
      }
    })
  )
}
