import { Overloaded, RateLimited } from "@agent-marketplace/api/errors/HttpFault"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { Readiness } from "@agent-marketplace/telemetry/Readiness"
import { Context, Effect, Layer, Metric, Option, Schedule, Stream } from "effect"
import type { Scope } from "effect"
import { makeCounts } from "../limits/makeCounts.ts"
import { LiveLimits } from "./LiveLimits.ts"

/** The most open streams of one key (LIVE-7). */
const perKey = 10

/** The most open streams of one client address without a key, so that no address uses all streams of the process. */
const perAddress = 5000

/** The interval of the check for expired keys, with which a stream ends within a second (LIVE-6). */
const expireEvery = "500 millis"

/** The interval of the check of keys whose changes may have been missed. */
const lookEvery = "1 second"

/** How many callers are identified again concurrently. */
const checksAtOnce = 16

/** Each change is checked twice, because other caches may receive it a moment later than this one. */
const secondCheck = "400 millis"

/** Why the service ends a stream: its key ended, or the process stops. */
export type EndReason = "revoked" | "stopping"

/** The caller of a stream, and how to identify the caller again. */
export interface Holder {
  readonly caller: Caller
  readonly identify: Effect.Effect<Caller, { readonly _tag: string }>
}

/** A stream before it is counted: its client address, its caller, and the callbacks of the service. */
export interface Visitor {
  readonly address: string
  readonly holder: Holder | null
  /** Ends the stream. Called once. */
  readonly end: (reason: EndReason) => void
  /** Nothing was sent for a while. */
  readonly quiet: () => void
}

/** An open stream that is counted. */
export interface Connection {
  /** False after `end` of the visitor was called. */
  readonly isOpen: () => boolean
  /** Something was sent now. */
  readonly sent: () => void
  /** Assigns the stream to the holder; it counts as a stream of the holder's key. */
  readonly hold: (holder: Holder) => Effect.Effect<void, RateLimited>
}

interface Open extends Omit<Visitor, "holder"> {
  holder: Holder | null
  sentAt: number
  unsure: boolean
}

/** Failures from which the validity of the key cannot be concluded. */
const undecided = new Set(["StoreUnavailable", "RateLimited", "InternalFault"])

const gauge = Metric.gauge("live_streams_open", { description: "Open streams and sockets." })

const subjectOf = ({ address, holder }: Pick<Open, "address" | "holder">): string =>
  holder === null ? `address ${address}` : `key ${holder.caller.keyId}`

/** Whether a change of the record with this id may concern the holder. A session may end with records that its caller does not name. */
const isOf = ({ caller }: Holder, id: string): boolean =>
  id === "*" || caller.session !== undefined || caller.keyId === id || caller.agentId === id || caller.accountId === id

const hasExpired = ({ caller }: Holder, now: Timestamp): boolean => caller.expiresAt !== null && caller.expiresAt <= now

/** The open streams of this process: their limits, and their end when a key ends or the process stops (LIVE-6, LIVE-7). */
export class LiveConnections extends Context.Service<
  LiveConnections,
  {
    /** Open until the scope closes. */
    readonly open: (visitor: Visitor) => Effect.Effect<Connection, Overloaded | RateLimited, Scope.Scope>
  }
>()("@agent-marketplace/http/live/LiveConnections") {
  static readonly layer = Layer.effect(
    LiveConnections,
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const identity = yield* Identity
      const readiness = yield* Readiness
      const { perProcess, quietCheckMillis, quietMillis } = yield* LiveLimits
      const context = yield* Effect.context<never>()
      const all = new Set<Open>()
      const counts = makeCounts()
      let stopping = false

      const end = (open: Open, reason: EndReason) => {
        if (all.delete(open)) {
          counts.add(subjectOf(open), -1)
          gauge.modifyUnsafe(-1, context)
          open.end(reason)
        }
      }
      const stop = Effect.sync(() => {
        stopping = true
        for (const open of all) end(open, "stopping")
      })

      /** Ends the stream unless the caller is still the same, and notes when the caller now expires. If the check fails, it is repeated. */
      const check = (open: Open) => {
        const { holder } = open
        if (holder === null) return Effect.void
        return Effect.match(holder.identify, {
          onSuccess: ({ accountId, agentId, expiresAt }) => {
            open.unsure = false
            // A rotated key expires at the end of its grace period.
            open.holder = { ...holder, caller: { ...holder.caller, expiresAt } }
            if (accountId !== holder.caller.accountId || agentId !== holder.caller.agentId) end(open, "revoked")
          },
          onFailure: ({ _tag }) => {
            open.unsure = undecided.has(_tag)
            if (!open.unsure) end(open, "revoked")
          }
        })
      }
      const checkAll = (matches: (open: Open) => boolean) =>
        Effect.forEach([...all].filter(matches), check, { concurrency: checksAtOnce, discard: true })
      const changed = (id: string) => checkAll(({ holder }) => holder !== null && isOf(holder, id))

      yield* identity.changes.pipe(
        Stream.runForEach((id) =>
          Effect.andThen(changed(id), Effect.forkScoped(Effect.delay(changed(id), secondCheck)))
        ),
        (run) => Effect.forkScoped(run, { startImmediately: true })
      )

      // A loop of its own: the check of keys may wait for the database.
      const endExpired = Effect.gen(function* () {
        if (all.size === 0) return
        const now = yield* Effect.option(clock.now)
        for (const open of all) {
          if (open.holder !== null && Option.isSome(now) && hasExpired(open.holder, now.value)) end(open, "revoked")
        }
      })
      yield* Effect.forkScoped(Effect.repeat(endExpired, Schedule.spaced(expireEvery)))

      const look = Effect.gen(function* () {
        if (all.size === 0) return
        const live = yield* identity.live
        yield* checkAll(({ unsure }) => unsure || !live)
      })
      yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(lookEvery)))

      // A loop of its own, as above.
      const nudgeQuiet = Effect.sync(() => {
        const now = performance.now()
        for (const open of all) {
          if (open.sentAt > now - quietMillis) continue
          open.sentAt = now
          open.quiet()
        }
      })
      yield* Effect.forkScoped(Effect.repeat(nudgeQuiet, Schedule.spaced(quietCheckMillis)))
      yield* Effect.forkScoped(Effect.andThen(readiness.draining, stop), { startImmediately: true })
      yield* Effect.addFinalizer(() => stop)

      const refuseBeyond = (subject: string, limit: number): Effect.Effect<void, RateLimited> =>
        counts.of(subject) < limit
          ? Effect.void
          : Effect.fail(new RateLimited({ resetAt: Date.now() + 10_000, limit, window: "open" }))

      return {
        open: Effect.fnUntraced(function* (visitor) {
          if (stopping || all.size >= perProcess) return yield* new Overloaded()
          const open: Open = { ...visitor, sentAt: performance.now(), unsure: false }
          yield* refuseBeyond(subjectOf(open), open.holder === null ? perAddress : perKey)
          yield* Effect.acquireRelease(
            Effect.sync(() => {
              all.add(open)
              counts.add(subjectOf(open), 1)
              gauge.modifyUnsafe(1, context)
            }),
            () =>
              Effect.sync(() => {
                if (!all.delete(open)) return
                counts.add(subjectOf(open), -1)
                gauge.modifyUnsafe(-1, context)
              })
          )
          return {
            isOpen: () => all.has(open),
            sent: () => {
              open.sentAt = performance.now()
            },
            hold: Effect.fnUntraced(function* (holder) {
              const subject = subjectOf({ address: open.address, holder })
              yield* refuseBeyond(subject, perKey)
              counts.add(subjectOf(open), -1)
              open.holder = holder
              counts.add(subject, 1)
            })
          }
        })
      }
    })
  )
}
