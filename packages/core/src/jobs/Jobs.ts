import type { Duration } from "effect"
import { Cause, Clock, Context, Effect, Layer, Option, Queue, Stream } from "effect"
import { Advisories } from "../advisories/Advisories.ts"
import { Revocations } from "../advisories/Revocations.ts"
import { Approvals } from "../approvals/Approvals.ts"
import { Blobs } from "../blobs/Blobs.ts"
import type { ChainUnavailable } from "../chain/Chain.ts"
import { Domains } from "../domains/Domains.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { EventLog } from "../events/EventLog.ts"
import { Identity, rotationBatch } from "../identity/Identity.ts"
import { ConditionWatch } from "../health/ConditionWatch.ts"
import { StorageWatch } from "../health/StorageWatch.ts"
import { idGenerator } from "../ids/Ids.ts"
import { makeLogOnce } from "../logging/LogOnce.ts"
import { ListingStore } from "../listings/ListingStore.ts"
import { Subscriptions } from "../purchases/Subscriptions.ts"
import { QuarantinedBytes } from "../releases/QuarantinedBytes.ts"
import { ReleaseScans } from "../releases/ReleaseScans.ts"
import { UnscreenedDeposits } from "../screening/UnscreenedDeposits.ts"
import { NotificationSender } from "../notifications/NotificationSender.ts"
import { batchSize } from "../settlement/Settlement.ts"
import { SoulReleases } from "../souls/SoulReleases.ts"
import { SoulStore } from "../souls/SoulStore.ts"
import { HotWalletWatch } from "../wallets/HotWalletWatch.ts"
import { LedgerWatch } from "../wallets/LedgerWatch.ts"
import { DepositScanner } from "../wallets/DepositScanner.ts"
import { releaseBatchSize, Wallets } from "../wallets/Wallets.ts"
import { WithdrawalProcessor } from "../wallets/WithdrawalProcessor.ts"
import { WebhookDispatcher } from "../webhooks/WebhookDispatcher.ts"
import { WebhookSender } from "../webhooks/WebhookSender.ts"
import { ImageStore } from "../images/ImageStore.ts"
import { LeaseStore } from "./LeaseStore.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/**
 * If the process that runs a job dies, another one takes over within this many seconds. A run that outlasts the lease may happen twice
 * at once, which every job tolerates: its writes depend on the state that it finds.
 */
const leaseSeconds = 5

/** A lease that was taken or renewed so recently, in milliseconds, is not renewed again: each renewal is a commit. */
const renewEvery = 2000

/** The pause of a job that has nothing to do, unless something wakes it earlier. Each run takes several statements, also in an idle market. */
const pause: Duration.Input = "500 millis"

/** The pause of the jobs that pass events on. An appended event wakes them, but nothing does when an older transaction ends that hid the event. */
const dispatchPause: Duration.Input = "250 millis"

/** The interval in milliseconds between log lines about an unavailable database or chain; the job itself runs again after its pause. */
const unavailableLogMillis = 60_000

/** One run of a job. True if more work is waiting. */
type Work = StoreEffect<boolean, ChainUnavailable>

interface Job {
  readonly name: string
  readonly work: Work
  /** Whether every process runs the job. If absent, only the process that holds the lease runs it. */
  readonly everywhere?: true
  /** The pause when there is nothing to do; {@link pause} if absent. */
  readonly rest?: Duration.Input
  /** Ends the pause early. */
  readonly wake?: Stream.Stream<void>
}

/** Background work: deposits, withdrawals, expiries, renewals, releases of escrow, webhooks, notifications. */
export class Jobs extends Context.Service<
  Jobs,
  {
    readonly all: ReadonlyArray<Job>
    /** Runs every job that is due once, including sends of webhooks and notifications, without leases. */
    readonly runDue: StoreEffect<void, ChainUnavailable>
  }
>()("@agent-marketplace/core/jobs/Jobs") {
  static readonly layer = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const scanner = yield* DepositScanner
      const processor = yield* WithdrawalProcessor
      const approvals = yield* Approvals
      const blobs = yield* Blobs
      const images = yield* ImageStore
      /** Pictures of deleted listings first, so that their bytes are no longer referred to (IMAGE-12). */
      const collectGarbage = Effect.gen(function* () {
        const more = yield* images.removeDeleted
        return (yield* blobs.collectGarbage) || more
      })
      const scans = yield* ReleaseScans
      const quarantinedBytes = yield* QuarantinedBytes
      const soulReleases = yield* SoulReleases
      const conditions = yield* ConditionWatch
      const hotWallet = yield* HotWalletWatch
      const ledger = yield* LedgerWatch
      const storage = yield* StorageWatch
      const unscreened = yield* UnscreenedDeposits
      const identity = yield* Identity
      const subscriptions = yield* Subscriptions
      const wallets = yield* Wallets
      const dispatcher = yield* WebhookDispatcher
      const sender = yield* WebhookSender
      const notifications = yield* NotificationSender
      const log = yield* EventLog
      const advisories = yield* Advisories
      const revocations = yield* Revocations
      const souls = yield* SoulStore
      const listings = yield* ListingStore
      const domains = yield* Domains
      const all: ReadonlyArray<Job> = [
        { name: "deposits", work: scanner.scan },
        { name: "screening", work: unscreened.screenDue, rest: "1 second" },
        { name: "withdrawals", work: Effect.as(processor.process, false) },
        { name: "expiries", work: Effect.map(approvals.expireDue, (looked) => looked === batchSize), rest: "1 second" },
        {
          name: "renewals",
          work: Effect.map(subscriptions.renewDue, (looked) => looked === batchSize),
          rest: "1 second"
        },
        {
          name: "key-rotations",
          work: Effect.map(identity.announceRotations, (looked) => looked === rotationBatch),
          rest: "10 seconds"
        },
        {
          name: "escrow",
          work: Effect.map(wallets.releaseDue, (looked) => looked === releaseBatchSize),
          rest: "1 second"
        },
        { name: "advisories", work: advisories.publish, rest: "1 second" },
        { name: "revocations", work: revocations.work, rest: "1 second" },
        {
          name: "webhook-dispatch",
          work: dispatcher.dispatch,
          wake: log.appended,
          rest: dispatchPause,
          everywhere: true
        },
        { name: "webhook-log", work: dispatcher.prune },
        {
          name: "notification-dispatch",
          work: notifications.dispatch,
          wake: log.appended,
          rest: dispatchPause,
          everywhere: true
        },
        { name: "conditions", work: Effect.as(conditions.check, false), rest: "5 seconds" },
        { name: "hot-wallet", work: Effect.as(hotWallet.check, false), rest: "1 minute" },
        { name: "ledger-audit", work: Effect.as(ledger.check, false), rest: "1 minute" },
        { name: "partitions", work: Effect.as(storage.check, false), rest: "1 minute" },
        { name: "release-scans", work: scans.scanDue },
        { name: "quarantined-bytes", work: quarantinedBytes.sweep, rest: "5 seconds" },
        { name: "soul-releases", work: soulReleases.adoptSome, rest: "10 seconds" },
        { name: "blob-garbage", work: collectGarbage, rest: "1 minute" },
        { name: "domains", work: domains.checkDue, rest: "1 minute" },
        { name: "popularity", work: listings.agePurchases, rest: "10 seconds" },
        { name: "souls-rendering", work: souls.renderStale, rest: "10 seconds" },
        { name: "listings-rendering", work: listings.renderStale, rest: "10 seconds" }
      ]
      const sends: Work = Effect.map(
        Effect.all([sender.sendDue, notifications.sendDue]),
        ([deliveries, messages]) => deliveries + messages > 0
      )
      return {
        all,
        runDue: Effect.andThen(
          Effect.forEach(all, ({ work }) => untilDone(work), { discard: true }),
          untilDone(sends)
        )
      }
    })
  )

  /**
   * Runs the jobs until the layer's scope closes. A failed run is logged and retried. Every process creates and sends webhooks and notifications, so that they
   * never wait for a lease to expire.
   */
  static readonly background = Layer.effectDiscard(
    Effect.gen(function* () {
      const leases = yield* LeaseStore
      const sender = yield* WebhookSender
      const notifications = yield* NotificationSender
      const { all } = yield* Jobs
      const ids = yield* idGenerator
      const holder = yield* ids.random(16)
      for (const { everywhere, name, rest = pause, wake, work } of all) {
        const mine = everywhere === true ? Effect.succeed(true) : keptLease(leases.acquire(name, holder, leaseSeconds))
        const once = untilDone(Effect.flatMap(mine, (held) => (held ? work : Effect.succeed(false)))).pipe(
          Effect.catchCause(failureLogger(name))
        )
        yield* Effect.addFinalizer(() => Effect.ignore(leases.release(name, holder)))
        const ticks = wake === undefined ? undefined : yield* ticksOf(wake)
        const rested = ticks === undefined ? Effect.sleep(rest) : Effect.timeoutOption(Queue.take(ticks), rest)
        yield* Effect.forkScoped(Effect.forever(Effect.andThen(once, rested)))
      }
      yield* Effect.forkScoped(sender.run)
      yield* Effect.forkScoped(notifications.run)
    })
  )
}

/** Logs why a job failed: every time for a bug, once a minute while the chain or the database is unavailable. */
const failureLogger = (name: string) => {
  const logOnce = makeLogOnce(unavailableLogMillis)
  return (cause: Cause.Cause<ChainUnavailable | StoreUnavailable>): Effect.Effect<void> => {
    const log = Effect.logWarning(`job ${name} failed and will be tried again`, cause)
    return Option.match(Cause.findErrorOption(cause), { onNone: () => log, onSome: ({ _tag }) => logOnce(_tag, log) })
  }
}

/**
 * Whether this process holds the lease. Each run renews a lease that was not renewed
 * within the last two seconds, so it does not expire while a job catches up in many runs.
 */
const keptLease = (acquire: StoreEffect<boolean>): StoreEffect<boolean> => {
  let renewedAt = Number.NEGATIVE_INFINITY
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now - renewedAt < renewEvery && now >= renewedAt
      ? Effect.succeed(true)
      : Effect.map(acquire, (held) => {
          renewedAt = held ? now : Number.NEGATIVE_INFINITY
          return held
        })
  )
}

/** The ticks of `wake`, buffered while a run is in progress: none is missed, and several count as one. */
const ticksOf = Effect.fnUntraced(function* (wake: Stream.Stream<void>) {
  const ticks = yield* Queue.sliding<void>(1)
  yield* Effect.forkScoped(
    Stream.runForEach(wake, () => Queue.offer(ticks, undefined)),
    { startImmediately: true }
  )
  return ticks
})

const untilDone = (work: Work): StoreEffect<void, ChainUnavailable> =>
  Effect.flatMap(work, (more) => (more ? untilDone(work) : Effect.void))
