import type { Duration } from "effect"
import { Effect, Layer, Schedule } from "effect"
import { Approvals } from "../approvals/Approvals.ts"
import { idGenerator } from "../ids/Ids.ts"
import { batchSize } from "../settlement/Settlement.ts"
import { Subscriptions } from "../purchases/Subscriptions.ts"
import { DepositScanner } from "../wallets/DepositScanner.ts"
import { WithdrawalProcessor } from "../wallets/WithdrawalProcessor.ts"
import { LeaseStore } from "./LeaseStore.ts"

/** A dead holder's job is taken over within this many seconds. */
const leaseSeconds = 20

/** How long a job rests when there is nothing to do. */
const pause: Duration.Input = "250 millis"

/**
 * The work that goes on without anybody asking: deposits, withdrawals, expiries, renewals. Each job runs in one process at a
 * time, wherever its lease is; a failed run is told in the log and tried again.
 */
export const Jobs = {
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const leases = yield* LeaseStore
      const scanner = yield* DepositScanner
      const processor = yield* WithdrawalProcessor
      const approvals = yield* Approvals
      const subscriptions = yield* Subscriptions
      const ids = yield* idGenerator
      const holder = yield* ids.random(16)

      /** Runs `work` while it says that more is waiting, then rests. */
      const job = <E>(name: string, work: Effect.Effect<boolean, E>) => {
        const round: Effect.Effect<void, E> = Effect.flatMap(work, (more) => (more ? round : Effect.void))
        const once = Effect.flatMap(leases.acquire(name, holder, leaseSeconds), (mine) =>
          mine ? round : Effect.void
        ).pipe(Effect.catchCause((cause) => Effect.logWarning(`job ${name} failed and will be tried again`, cause)))
        return Effect.addFinalizer(() => Effect.ignore(leases.release(name, holder))).pipe(
          Effect.andThen(Effect.forkScoped(Effect.repeat(once, Schedule.spaced(pause))))
        )
      }

      yield* job("deposits", scanner.scan)
      yield* job("withdrawals", Effect.as(processor.process, false))
      yield* job(
        "expiries",
        Effect.map(approvals.expireDue, (looked) => looked === batchSize)
      )
      yield* job(
        "renewals",
        Effect.map(subscriptions.renewDue, (looked) => looked === batchSize)
      )
    })
  )
}
