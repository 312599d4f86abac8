import type { Duration } from "effect"
import { Context, Effect, Layer, Schedule } from "effect"
import { Approvals } from "../approvals/Approvals.ts"
import type { ChainUnavailable } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { idGenerator } from "../ids/Ids.ts"
import { Subscriptions } from "../purchases/Subscriptions.ts"
import { batchSize } from "../settlement/Settlement.ts"
import { DepositScanner } from "../wallets/DepositScanner.ts"
import { WithdrawalProcessor } from "../wallets/WithdrawalProcessor.ts"
import { LeaseStore } from "./LeaseStore.ts"

/** A job's holder that died is replaced within this many seconds. */
const leaseSeconds = 20

/** How long a job rests when there is nothing to do. */
const pause: Duration.Input = "250 millis"

/** True where more is waiting. */
type Work = Effect.Effect<boolean, ChainUnavailable | StoreUnavailable>

/** The work that goes on without anybody asking: deposits, withdrawals, expiries, renewals. */
export class Jobs extends Context.Service<
  Jobs,
  {
    readonly all: ReadonlyArray<readonly [name: string, work: Work]>
    /** Does everything that is due now, once, whoever holds the leases. */
    readonly runDue: Effect.Effect<void, ChainUnavailable | StoreUnavailable>
  }
>()("@agent-marketplace/core/jobs/Jobs") {
  static readonly layer = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const scanner = yield* DepositScanner
      const processor = yield* WithdrawalProcessor
      const approvals = yield* Approvals
      const subscriptions = yield* Subscriptions
      const all: Jobs["Service"]["all"] = [
        ["deposits", scanner.scan],
        ["withdrawals", Effect.as(processor.process, false)],
        ["expiries", Effect.map(approvals.expireDue, (looked) => looked === batchSize)],
        ["renewals", Effect.map(subscriptions.renewDue, (looked) => looked === batchSize)]
      ]
      return { all, runDue: Effect.forEach(all, ([, work]) => untilDone(work), { discard: true }) }
    })
  )

  /**
   * Runs the jobs for as long as the layer lives, each in one process at a time, wherever its lease is; a failed run is told
   * in the log and tried again.
   */
  static readonly background = Layer.effectDiscard(
    Effect.gen(function* () {
      const leases = yield* LeaseStore
      const { all } = yield* Jobs
      const ids = yield* idGenerator
      const holder = yield* ids.random(16)
      for (const [name, work] of all) {
        const once = Effect.flatMap(leases.acquire(name, holder, leaseSeconds), (mine) =>
          mine ? untilDone(work) : Effect.void
        ).pipe(Effect.catchCause((cause) => Effect.logWarning(`job ${name} failed and will be tried again`, cause)))
        yield* Effect.addFinalizer(() => Effect.ignore(leases.release(name, holder)))
        yield* Effect.forkScoped(Effect.repeat(once, Schedule.spaced(pause)))
      }
    })
  )
}

const untilDone = (work: Work): Effect.Effect<void, ChainUnavailable | StoreUnavailable> =>
  Effect.flatMap(work, (more) => (more ? untilDone(work) : Effect.void))
