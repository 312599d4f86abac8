import { Context, Effect, Layer } from "effect"
import { Administration } from "../admin/Administration.ts"
import type { Operator } from "../admin/OperatorAction.ts"
import type { ChainUnavailable } from "../chain/Chain.ts"
import { Chain } from "../chain/Chain.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import type { MarketConfig } from "../config/MarketConfig.ts"
import { Conflict, ValidationFailed } from "../errors/MarketError.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Condition, ConditionKind } from "../health/Condition.ts"
import { Conditions } from "../health/Conditions.ts"
import type { WithdrawalId } from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { Settlement } from "../settlement/Settlement.ts"
import type { Deposit } from "./Deposit.ts"
import { depositsAmong } from "./depositsAmong.ts"
import { depositScreening } from "../screening/depositScreening.ts"
import { destinationCheck } from "./destinationCheck.ts"
import type { EnergyReport } from "./EnergyReport.ts"
import { energyReport } from "./EnergyReport.ts"
import { ownNetwork } from "./ownNetwork.ts"
import { Payouts } from "./Payouts.ts"
import type { OutgoingTransfer, Treasury, TreasuryLimits, TreasuryWallet } from "./TreasuryStore.ts"
import { TreasuryStore } from "./TreasuryStore.ts"
import { WalletStore } from "./WalletStore.ts"

/** The number of waiting withdrawals among which candidates are looked for. */
const mostCandidates = 10_000

/** Waits at most this long for a balance, because the rest does not need the chain. */
const balancePatience = "5 seconds"

/** A condition that degrades the service, as the treasury shows it. */
const shownConditions: ReadonlyArray<ConditionKind> = ["hot_wallet_low", "hot_wallet_full", "energy_low"]

/** A transfer from the hot wallet that no withdrawal explains, and the waiting withdrawals that it may have paid. */
export interface UnknownTransfer extends OutgoingTransfer {
  readonly candidates: ReadonlyArray<WithdrawalId>
}

/** The service's own wallets, and what stops payouts. */
export interface TreasuryOverview extends Treasury {
  /** The final balances. Null if there is no such wallet, if the chain does not answer, or if it counts no balances. */
  readonly held: Readonly<Record<TreasuryWallet, Usdt | null>>
  /** The sum of the withdrawals that wait to be paid. */
  readonly needed: Usdt
  /** Those of the present conditions that concern the hot wallet, oldest first. */
  readonly conditions: ReadonlyArray<Condition>
  readonly unknownTransfers: ReadonlyArray<UnknownTransfer>
}

/** How the operator resolves an unknown transfer: it paid a withdrawal, or there is another explanation. */
export type TransferMatch = { readonly txid: string } & (
  { readonly withdrawalId: WithdrawalId } | { readonly explanation: string }
)

type Failure = ChainUnavailable | Refusal | StoreUnavailable | ValidationFailed

/** The operator's view of the service's own wallets, and the decisions on them (TREASURY-1, TREASURY-3, TREASURY-5, DEPOSIT-8). */
export class TreasuryControl extends Context.Service<
  TreasuryControl,
  {
    readonly overview: Effect.Effect<TreasuryOverview, StoreUnavailable>
    /** Names another hot or cold wallet. Refused if `from` is not the present one. */
    readonly setWallet: (
      operator: Operator,
      change: { readonly wallet: TreasuryWallet; readonly from: string | null; readonly to: string | null }
    ) => Effect.Effect<TreasuryOverview, Failure>
    /** Changes the ceiling of the hot wallet, its top-up level, or both; null removes one. */
    readonly setLimits: (operator: Operator, limits: TreasuryLimits) => Effect.Effect<TreasuryOverview, Failure>
    /** The cost of payouts, and the resources of the hot wallet for their fees. */
    readonly energy: Effect.Effect<EnergyReport, Failure>
    /**
     * Resolves unknown transfers in turn. A withdrawal is settled with its transaction, as proven on the chain. Payouts go on once none is
     * unknown. A refusal ends the run; earlier matches are kept.
     */
    readonly resume: (
      operator: Operator,
      matches: ReadonlyArray<TransferMatch>
    ) => Effect.Effect<TreasuryOverview, Failure>
    /** Records the deposits of one final transaction that are missing; they are screened like any other. Returns all its deposits. */
    readonly recheck: (operator: Operator, txid: string) => Effect.Effect<ReadonlyArray<Deposit>, Failure>
  }
>()("@agent-marketplace/core/wallets/TreasuryControl") {
  static readonly layer = Layer.effect(
    TreasuryControl,
    Effect.gen(function* () {
      const administration = yield* Administration
      const chain = yield* Chain
      const payouts = yield* Payouts
      const settlement = yield* Settlement
      const store = yield* TreasuryStore
      const wallets = yield* WalletStore
      const checkDestination = yield* destinationCheck
      const clock = yield* MarketClock
      const conditions = yield* Conditions
      const services = yield* Effect.context<Chain | MarketClock | MarketConfig | TreasuryStore | WalletStore>()

      const balanceOf = (wallet: string | null): Effect.Effect<Usdt | null> =>
        wallet === null
          ? Effect.succeed(null)
          : chain.balanceOf(wallet).pipe(
              Effect.timeoutOrElse({ duration: balancePatience, orElse: () => Effect.succeed(null) }),
              Effect.catchTag("ChainUnavailable", () => Effect.succeed(null))
            )
      const screened = yield* depositScreening

      const overview = Effect.gen(function* () {
        const unknown = yield* store.unknownTransfers
        const queued = unknown.length === 0 ? [] : yield* wallets.withdrawalsIn("queued", mostCandidates)
        const known = yield* store.treasury
        const [hot, cold] = yield* Effect.all([balanceOf(known.hot), balanceOf(known.cold)], { concurrency: 2 })
        return {
          ...known,
          held: { hot, cold },
          needed: (yield* wallets.payoutLoad(yield* clock.now)).needed,
          conditions: (yield* conditions.open).filter(({ kind }) => shownConditions.includes(kind)),
          unknownTransfers: unknown.map((transfer) => ({
            ...transfer,
            candidates: queued
              .filter(
                ({ amount, destinationAddress }) => amount === transfer.amount && destinationAddress === transfer.to
              )
              .map(({ id }) => id)
          }))
        }
      })

      /** The service's own wallet may be named again; a deposit address, the zero address and the token's contract may not. */
      const checkWallet = Effect.fnUntraced(function* (to: string, known: Treasury) {
        const own = to === chain.hotWallet || to === known.hot || to === known.cold
        const message = own && (yield* chain.isAddress(to)) ? undefined : yield* checkDestination(to)
        if (message !== undefined) return yield* new ValidationFailed({ issues: [{ path: "to", message }] })
      })

      const setWallet = Effect.fn("TreasuryControl.setWallet")(function* (
        operator: Operator,
        {
          from,
          to,
          wallet
        }: { readonly wallet: TreasuryWallet; readonly from: string | null; readonly to: string | null }
      ) {
        const known = yield* store.treasury
        if (to === null && wallet === "hot") {
          const issues = [{ path: "to", message: "must be an address: withdrawals are paid from the hot wallet" }]
          return yield* new ValidationFailed({ issues })
        }
        if (from !== null && !(yield* chain.isAddress(from))) {
          const issues = [{ path: "from", message: "must be an address: the present wallet" }]
          return yield* new ValidationFailed({ issues })
        }
        if (to !== null) yield* checkWallet(to, known)
        if (to !== null && to === known[wallet === "hot" ? "cold" : "hot"]) {
          const issues = [{ path: "to", message: "must not be both the hot and the cold wallet" }]
          return yield* new ValidationFailed({ issues })
        }
        const action = yield* administration.draft(operator, "treasury.set", wallet)
        if (!(yield* store.setWallet(wallet, { from, to }, action))) {
          const reason = `the ${wallet} wallet is ${(yield* store.treasury)[wallet] ?? "not set"}`
          return yield* new Conflict({ state: "other_wallet", reason })
        }
        return yield* overview
      })

      const setLimits = Effect.fn("TreasuryControl.setLimits")(function* (operator: Operator, limits: TreasuryLimits) {
        const action = yield* administration.draft(operator, "treasury.limits", "hot")
        if (!(yield* store.setLimits(limits, action))) {
          const { hotCeiling, topUpBelow } = { ...(yield* store.treasury), ...limits }
          const issue =
            limits.topUpBelow === undefined
              ? { path: "ceiling", message: `must be at least topUpBelow, ${Usdt.withCurrency(topUpBelow ?? 0n)}` }
              : { path: "topUpBelow", message: `must be at most the ceiling, ${Usdt.withCurrency(hotCeiling ?? 0n)}` }
          return yield* new ValidationFailed({ issues: [issue] })
        }
        return yield* overview
      })

      const resolve = Effect.fnUntraced(function* (operator: Operator, match: TransferMatch) {
        if ("withdrawalId" in match) {
          yield* payouts.settle(operator, match.withdrawalId, match.txid, operator.reason ?? "an unknown transfer")
          return
        }
        const action = yield* administration.draft(operator, "treasury.explain", match.txid)
        if (yield* store.explain(match.txid, match.explanation, action)) return
        const message = `${match.txid} is not the transaction of an unknown transfer`
        return yield* new ValidationFailed({ issues: [{ path: "matches", message }] })
      })

      return {
        overview: Effect.withSpan(overview, "TreasuryControl.overview"),
        setWallet,
        setLimits,
        energy: Effect.withSpan(Effect.provideContext(energyReport, services), "TreasuryControl.energy"),
        resume: Effect.fn("TreasuryControl.resume")(function* (operator, matches) {
          for (const match of matches) yield* resolve(operator, match)
          return yield* overview
        }),
        recheck: Effect.fn("TreasuryControl.recheck")(function* (operator, txid) {
          const network = yield* Effect.provideService(ownNetwork(chain.network), WalletStore, wallets)
          const transfers = yield* chain.transfersIn(txid)
          const deposits = yield* depositsAmong(network, transfers).pipe(
            Effect.provideService(Chain, chain),
            Effect.provideService(TreasuryStore, store),
            Effect.provideService(WalletStore, wallets)
          )
          for (const command of yield* screened(deposits)) {
            const action = yield* administration.draft(operator, "deposit.recheck", txid)
            yield* settlement.submit({ ...command, action })
          }
          return deposits
        })
      }
    })
  )
}
