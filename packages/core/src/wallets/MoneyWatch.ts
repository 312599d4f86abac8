import { Context, Effect, Layer, Metric, Option, Ref } from "effect"
import { Chain, ChainUnavailable } from "../chain/Chain.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import { Usdt } from "../money/Usdt.ts"
import { ownNetwork } from "./ownNetwork.ts"
import { makePlatformCheck } from "./platformCheck.ts"
import { WalletStore } from "./WalletStore.ts"
import type { Withdrawal } from "./Withdrawal.ts"

/** Conditions that need an operator's attention. Requests are still served. The list is public, so it contains no amounts. */
export const moneyWarnings = [
  /**
   * For one minute the chain has not answered, or only a chain of another network or 100 blocks below the scan position has; or no block has
   * become final for five minutes.
   */
  "chain_unreachable",
  /** More than 100 final blocks are not scanned, or the first block to scan is not known. */
  "deposits_behind",
  /** A withdrawal has been open for half an hour, or its transaction has expired and its result is unknown. */
  "withdrawals_stuck",
  /** The service's own wallet holds less than the open withdrawals need. */
  "hot_wallet_low",
  /** It cannot pay the chain fees of ten withdrawals, or of the open ones. */
  "hot_wallet_fees_low",
  /** The fixed fee of a withdrawal is below what the network may take for it. */
  "withdrawal_fee_low",
  /** The operator has stopped all payouts. */
  "payouts_paused",
  /** A seller owes the platform for a refund that the platform covered; the audit names each. */
  "debts_open",
  /** The platform has paid more for refunds than it has earned. */
  "platform_negative"
] as const

export type MoneyWarning = (typeof moneyWarnings)[number]

const checkInterval = "15 seconds"

/** The number of consecutive failures after which the chain counts as unreachable. */
const toleratedFailures = 4

/** The number of consecutive checks without a new final block after which the chain counts as stuck. */
const toleratedStillChecks = 20

const blocksBehind = 100
const longWait = 30 * Timestamp.minute
const overdue = 10 * Timestamp.minute
const fewTransfers = 10

/** The interval between checks of the cost of a payout. */
const costInterval = Timestamp.hour

/** The maximum number of withdrawals of each state that are examined. */
const withdrawalLimit = 200

const lag = Metric.gauge("deposit_scan_lag_blocks", { description: "Final blocks that are not scanned yet." })
const waiting = Metric.gauge("withdrawals_open", { description: "Withdrawals that wait for the chain, at most 400." })
const oldest = Metric.gauge("withdrawals_oldest_seconds", { description: "Age of the oldest open withdrawal." })
const warned = (warning: MoneyWarning) =>
  Metric.gauge("money_warning", {
    description: "1 while the condition needs an operator's attention.",
    attributes: { warning }
  })

/** While payouts are paused, nothing is stuck that was not sent. */
const isStuck = ({ createdAt, state, transaction }: Withdrawal, now: Timestamp, paused: boolean): boolean =>
  state === "broadcasting" && transaction !== null
    ? now - transaction.expiresAt > overdue
    : !paused && now - createdAt > longWait

/**
 * Monitors everything that could stop deposits or withdrawals (CHAIN-18). It checks every 15 seconds in every process, whether or not that
 * process runs the jobs, and maintains the gauges and the readiness warnings.
 */
export class MoneyWatch extends Context.Service<
  MoneyWatch,
  {
    /** The warnings of the last check. */
    readonly warnings: Effect.Effect<ReadonlyArray<MoneyWarning>>
    readonly check: Effect.Effect<void>
  }
>()("@agent-marketplace/core/wallets/MoneyWatch") {
  static readonly layer = Layer.effect(
    MoneyWatch,
    Effect.gen(function* () {
      const chain = yield* Chain
      const clock = yield* MarketClock
      const store = yield* WalletStore
      const last = yield* Ref.make<ReadonlyArray<MoneyWarning>>([])
      let failures = 0
      let highest = -1
      let still = 0
      const { coinRate, withdrawalFee } = yield* MarketConfig
      let fee = { at: Number.NEGATIVE_INFINITY, low: false }
      const platformNegative = makePlatformCheck(store, clock)

      /** Checked once an hour, first at the start; logged when the fee becomes too low. */
      const feeLow = Effect.gen(function* () {
        if (withdrawalFee === "auto" || coinRate === null) return false
        const now = yield* clock.now
        if (now - fee.at < costInterval) return fee.low
        const cost = (yield* chain.payoutCost(null)).coin * coinRate
        const low = withdrawalFee * 1_000_000n < cost
        if (low && !fee.low) {
          const needed = Usdt.withCurrency(cost / 1_000_000n)
          yield* Effect.logWarning(
            `WITHDRAWAL_FEE is ${Usdt.withCurrency(withdrawalFee)}, the network may take ${needed}`
          )
        }
        fee = { at: now, low }
        return low
      }).pipe(Effect.catchTag("ChainUnavailable", () => Effect.succeed(fee.low)))

      const ofWithdrawals = Effect.gen(function* () {
        const queued = yield* store.withdrawalsIn("queued", withdrawalLimit)
        const all = [...queued, ...(yield* store.withdrawalsIn("broadcasting", withdrawalLimit))]
        const now = yield* clock.now
        const paused = (yield* store.payoutPause) !== null
        yield* Metric.update(waiting, all.length)
        yield* Metric.update(oldest, Math.max(0, ...all.map(({ createdAt }) => now - createdAt)) / 1000)
        return { queued, paused, stuck: all.some((withdrawal) => isStuck(withdrawal, now, paused)) }
      })

      const behind = Effect.gen(function* () {
        const network = yield* Effect.provideService(ownNetwork(chain.network), WalletStore, store)
        const cursor = yield* store.cursor(network)
        const { block } = yield* chain.finalHead
        still = block > highest ? 0 : still + 1
        highest = Math.max(highest, block)
        const blocks = block - Option.getOrElse(cursor, () => block)
        if (-blocks > blocksBehind)
          return yield* new ChainUnavailable({ reason: "the final block is below the scan position" })
        yield* Metric.update(lag, Math.max(0, blocks))
        if (Option.isNone(cursor) && chain.start === null) return (yield* store.scanned).addresses
        return blocks > blocksBehind
      })

      const found = Effect.gen(function* () {
        const { paused, queued, stuck } = yield* ofWithdrawals
        const ofChain = yield* Effect.all([behind, chain.wallet]).pipe(
          Effect.asSome,
          Effect.catchTag("ChainUnavailable", () => Effect.succeedNone)
        )
        failures = Option.isNone(ofChain) ? failures + 1 : 0
        const [isBehind, wallet] = Option.getOrElse(ofChain, () => [false, null] as const)
        const wanted = queued.reduce((sum, { amount }) => sum + amount, 0n)
        const inDebt = (yield* store.debts).length > 0
        const isNegative = yield* platformNegative(inDebt)
        const is: Readonly<Record<MoneyWarning, boolean>> = {
          chain_unreachable: failures >= toleratedFailures || still >= toleratedStillChecks,
          deposits_behind: isBehind,
          withdrawals_stuck: stuck,
          hot_wallet_low: wallet !== null && wallet.usdt < wanted,
          hot_wallet_fees_low: wallet !== null && wallet.transfers < Math.max(fewTransfers, queued.length),
          withdrawal_fee_low: yield* feeLow,
          payouts_paused: paused,
          debts_open: inDebt,
          platform_negative: isNegative
        }
        return moneyWarnings.filter((warning) => is[warning])
      })

      // While the database is unavailable there is no new information, and readiness already reports the database.
      const check = Effect.gen(function* () {
        const warnings = yield* found
        yield* Ref.set(last, warnings)
        for (const each of moneyWarnings) yield* Metric.update(warned(each), warnings.includes(each) ? 1 : 0)
      }).pipe(Effect.catchTag("StoreUnavailable", () => Effect.void))

      const watched = Effect.catchCause(check, (cause) =>
        Effect.logWarning("the check for money warnings failed", cause)
      )
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(watched, Effect.sleep(checkInterval))))
      return { warnings: Ref.get(last), check }
    })
  )
}
