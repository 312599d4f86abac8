import { Context, Effect, Layer, Semaphore, Stream } from "effect"
import type { Scope } from "effect"
import { ActivityFeed } from "../activity/ActivityFeed.ts"
import { ValidationFailed } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { EventCursor, EventReader, LoggedEvent } from "../events/EventLog.ts"
import { EventLog } from "../events/EventLog.ts"
import { isSent } from "../events/MarketEvent.ts"
import type { AccountId } from "../ids/Ids.ts"
import { Envelope } from "../webhooks/Envelope.ts"
import { makeAccountFollowers } from "./AccountFollowers.ts"
import { makeActivityRing } from "./ActivityRing.ts"
import type { Follower, LiveSource } from "./Follower.ts"
import { makeFollower } from "./Follower.ts"
import type { LiveMessage } from "./LiveMessage.ts"

/** The maximum number of events that one read of the log returns. */
const pageSize = 500

/** How many followers read what they missed from the log concurrently; the others wait. */
const readersAtOnce = 4

/** Time between two pages, in which followers empty their buffers. */
const betweenPages = "5 millis"

/** The interval between the statistics of the feed. */
const statsEvery = "10 seconds"

/** The callbacks of a reader of a stream. */
export interface FollowOptions {
  /** Runs when more than 1,000 messages wait for the reader; it then continues from the log. */
  readonly onOverrun?: (() => void) | undefined
}

const unknownCursor = (path: string) =>
  new ValidationFailed({ issues: [{ path, message: "must be the cursor of an event of this market" }] })

const messageOf = ({ at, cursor, data, type }: LoggedEvent): LiveMessage => {
  const position = Number(cursor)
  // No reader can request the other types.
  const payload = isSent(type) ? Envelope.payload({ type, at, data }) : "{}"
  return { id: String(position), position, event: type, data: payload }
}

/**
 * Streams of events and of the activity feed. Each process has one reader of the log, which runs while there are followers and sends each event to
 * those that receive it (LIVE-3). A slow follower does not delay others: its buffer is bounded, and when it is full the follower reads from the log (LIVE-9).
 */
export class Live extends Context.Service<
  Live,
  {
    /**
     * The events that the webhooks of an account or of an agent get, after the cursor or from now on. Fails if no event of the log can have
     * the cursor; `path` names where the caller gave it.
     */
    readonly events: (
      reader: EventReader,
      after: { readonly cursor: EventCursor; readonly path: string } | undefined,
      options?: FollowOptions
    ) => Effect.Effect<Follower, ValidationFailed | Effect.Error<StoreEffect<void>>, Scope.Scope>
    /** Statistics and items of the public feed: the items after the one with this id if it is among the newest, else new items only. */
    readonly activity: (
      after: string | undefined,
      options?: FollowOptions
    ) => Effect.Effect<Follower, Effect.Error<StoreEffect<void>>, Scope.Scope>
  }
>()("@agent-marketplace/core/live/Live") {
  static readonly layer = Layer.effect(
    Live,
    Effect.gen(function* () {
      const log = yield* EventLog
      const feed = yield* ActivityFeed
      const followers = makeAccountFollowers()
      const ring = makeActivityRing()
      const watchers = new Set<Follower>()
      /** The followers that joined after the reader started to look up the receivers of the present events. */
      const late = new Set<Follower>()
      const reading = yield* Semaphore.make(1)
      const catchingUp = yield* Semaphore.make(readersAtOnce)
      let open = 0
      /** Every event up to this position has been sent. Undefined while there are no followers. */
      let position: number | undefined

      const audiencesOf = Effect.fnUntraced(function* (events: ReadonlyArray<LoggedEvent>) {
        const users = new Map<string, Array<AccountId>>()
        for (const [audience, find] of [
          ["users", log.usersOf],
          ["holders", log.holdersOf]
        ] as const) {
          const items = [...new Set(events.flatMap((event) => (event.audience === audience ? [event.subject] : [])))]
          if (items.length === 0) continue
          for (const [item, account] of yield* find(items, followers.accounts())) {
            const key = `${audience} ${item}`
            users.set(key, [...(users.get(key) ?? []), account])
          }
        }
        return users
      })

      /** Reads and sends one page. True if there may be more. */
      const advance = Effect.fnUntraced(function* (from: number) {
        const events = yield* log.read(String(from), pageSize)
        const last = events.at(-1)
        if (last === undefined) return false
        late.clear()
        const users = yield* audiencesOf(events)
        const items = watchers.size === 0 ? [] : yield* feed.happened(String(from), last.cursor)
        // The rest is one synchronous step, so no follower joins in between.
        for (const event of events) {
          followers.deliver(event, users.get(`${event.audience} ${event.subject}`) ?? [], () => messageOf(event))
        }
        if (events.some(({ audience }) => audience === "users" || audience === "holders"))
          for (const follower of late) follower.fallBack()
        for (const item of items) {
          const message = ring.append(item)
          if (message !== undefined) for (const watcher of watchers) watcher.push(message)
        }
        position = Number(last.cursor)
        return events.length === pageSize
      })

      const readPages: StoreEffect<void> = Effect.suspend(() =>
        position === undefined
          ? Effect.void
          : Effect.flatMap(advance(position), (more) => (more ? Effect.delay(readPages, betweenPages) : Effect.void))
      )
      const readOn = reading.withPermit(
        Effect.suspend(() => {
          if (open === 0) position = undefined
          return readPages
        })
      )
      yield* log.appended.pipe(
        Stream.buffer({ capacity: 1, strategy: "sliding" }),
        Stream.runForEach(() => Effect.ignore(readOn)),
        (run) => Effect.forkScoped(run, { startImmediately: true })
      )

      const pushStats = Effect.suspend(() =>
        watchers.size === 0
          ? Effect.void
          : Effect.map(feed.snapshot, (snapshot) => {
              if (snapshot === undefined) return
              const message = { id: null, position: null, event: "stats", data: snapshot.stats }
              for (const watcher of watchers) watcher.push(message)
            })
      )
      yield* Effect.forkScoped(Effect.forever(Effect.delay(pushStats, statsEvery)))

      /** The end of the log, where a reader without a cursor starts. The shared reader runs when this returns. */
      const startReading = Effect.gen(function* () {
        yield* Effect.acquireRelease(
          Effect.sync(() => void open++),
          () => Effect.sync(() => void open--)
        )
        const end = Number(yield* log.end)
        yield* reading.withPermit(
          Effect.sync(() => {
            position ??= end
          })
        )
        return end
      })

      const deliveredTo = () => position ?? Number.POSITIVE_INFINITY

      const ownSource = (reader: EventReader): LiveSource => ({
        position: deliveredTo,
        read: (after) =>
          catchingUp.withPermit(
            Effect.map(log.readFor(reader, String(after), pageSize), ({ cursor, events }) => ({
              messages: events.map(messageOf),
              position: Number(cursor)
            }))
          ),
        join: (follower) => {
          followers.add(follower, reader)
          late.add(follower)
        },
        leave: (follower) => followers.remove(follower, reader)
      })

      const activitySource: LiveSource = {
        position: ring.position,
        read: (after) => Effect.sync(() => ring.read(after)),
        join: (follower) => watchers.add(follower),
        leave: (follower) => watchers.delete(follower)
      }

      const following = (follower: Follower) =>
        Effect.as(
          Effect.addFinalizer(() => Effect.sync(() => follower.fallBack())),
          follower
        )

      return {
        events: Effect.fnUntraced(function* (reader, after, options) {
          const end = yield* startReading
          const start = after === undefined ? end : Number(after.cursor)
          if (after !== undefined && start > end) return yield* unknownCursor(after.path)
          return yield* following(makeFollower(ownSource(reader), { position: start, ...options }))
        }),
        activity: Effect.fnUntraced(function* (after, options) {
          yield* startReading
          const snapshot = yield* feed.snapshot
          // The permit excludes the reader, which skips the items of the feed while there are no watchers.
          const follower = yield* reading.withPermit(
            Effect.sync(() => {
              if (watchers.size === 0) {
                ring.clear()
                for (const item of snapshot?.items ?? []) ring.append(item)
              }
              const start = (after === undefined ? undefined : ring.find(after)) ?? ring.position()
              const stats =
                snapshot === undefined ? [] : [{ id: null, position: null, event: "stats", data: snapshot.stats }]
              return makeFollower(activitySource, {
                position: start,
                first: [...stats, ...ring.read(start).messages],
                ...options
              })
            })
          )
          return yield* following(follower)
        })
      }
    })
  )
}
