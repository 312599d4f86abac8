import { Context, Data, Effect, Layer, Option } from "effect"
import type { Stream } from "effect"
import { Chain, ChainUnavailable } from "../chain/Chain.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AgentNotClaimed, Issue, StoreUnavailable } from "../errors/MarketError.ts"
import { NotFound, ValidationFailed } from "../errors/MarketError.ts"
import type { AccountId, WithdrawalId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { withdrawalTransfer } from "../screening/payoutScreening.ts"
import { screenTransfer } from "../screening/screenTransfers.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { Settlement } from "../settlement/Settlement.ts"
import type { Replayable } from "../settlement/Idempotency.ts"
import { fingerprint, keyed } from "../settlement/Idempotency.ts"
import { destinationCheck } from "./destinationCheck.ts"
import { scanStart } from "./scanStart.ts"
import { quoteLifetime, withdrawalFees } from "./WithdrawalFees.ts"
import type { LedgerAudit, Wallet, WalletTransaction } from "./WalletStore.ts"
import { WalletStore } from "./WalletStore.ts"
import type { Withdrawal } from "./Withdrawal.ts"

/** The number of sales whose proceeds one transaction releases. */
export const releaseBatchSize = 256

/** Waits at most this long for the chain before a withdrawal is refused as unavailable. */
const refusalTimeLimit = "5 seconds"

/** How many addresses that the chain knows already are skipped in one request. Each stays skipped. */
const mostSkipped = 50

/** Waits at most this long for the chain before an address is issued without looking at its history. */
const historyTimeLimit = "2 seconds"

/** The chain knows the next address: it was issued before the database was restored (DEPOSIT-7). */
class AddressInUse extends Data.TaggedError("AddressInUse")<{}> {}

/** The deposit instructions of a wallet (DEPOSIT-1). */
export interface DepositInfo {
  readonly address: string
  readonly chain: string
  readonly balance: Usdt
  readonly qrCode: string
}

export interface WithdrawalRequest {
  readonly amount: Usdt
  readonly destinationAddress: string
}

/** A fee that is held (WITHDRAWAL-12). */
export interface WithdrawalQuote {
  readonly id: string
  readonly amount: Usdt
  readonly fee: Usdt
  readonly expiresAt: Timestamp
  readonly activatesAddress: boolean
}

type Failure = AgentNotClaimed | StoreUnavailable

/** The wallet of the caller's owner (WALLET-1, DEPOSIT-1, WITHDRAWAL-1). */
export class Wallets extends Context.Service<
  Wallets,
  {
    readonly balance: (caller: Caller) => Effect.Effect<Wallet, Failure>
    /** The first call assigns the wallet its address. */
    readonly deposit: (caller: Caller) => Effect.Effect<DepositInfo, Failure | ChainUnavailable>
    readonly transactions: (caller: Caller, page: PageRequest) => Effect.Effect<Page<WalletTransaction>, Failure>
    readonly exportTransactions: (
      caller: Caller
    ) => Effect.Effect<Stream.Stream<WalletTransaction, StoreUnavailable>, AgentNotClaimed>
    readonly withdrawals: (caller: Caller, page: PageRequest) => Effect.Effect<Page<Withdrawal>, Failure>
    /** The rule violations of a withdrawal, for each given field (WITHDRAWAL-8, WITHDRAWAL-9). */
    readonly ruleViolations: (
      request: Partial<WithdrawalRequest>
    ) => Effect.Effect<ReadonlyArray<Issue>, StoreUnavailable>
    /** Holds the amount and the fee until the result on the chain is known. */
    readonly withdraw: (
      caller: Caller,
      request: WithdrawalRequest & { readonly quote?: string | undefined },
      idempotencyKey?: string
    ) => Effect.Effect<Replayable<Withdrawal>, ChainUnavailable | Failure | Refusal | ValidationFailed>
    /** Holds the fee of now for 15 minutes, for one withdrawal of this amount to this address. */
    readonly quote: (
      caller: Caller,
      request: WithdrawalRequest
    ) => Effect.Effect<WithdrawalQuote, ChainUnavailable | Failure | ValidationFailed>
    readonly withdrawal: (caller: Caller, id: WithdrawalId) => Effect.Effect<Withdrawal, Failure | NotFound>
    /** Possible until a transaction is broadcast (WITHDRAWAL-6). */
    readonly cancelWithdrawal: (
      caller: Caller,
      id: WithdrawalId,
      idempotencyKey?: string
    ) => Effect.Effect<Replayable<Withdrawal>, Failure | Refusal>
    /** Whether an address may be shown as a QR code (DEPOSIT-3): only the service's own. */
    readonly isDepositAddress: (address: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Releases locked proceeds that are due (ESCROW-2). Returns the number examined, at most one batch. */
    readonly releaseDue: Effect.Effect<number, StoreUnavailable>
    /** Recomputes every wallet from the ledger's lines. */
    readonly audit: Effect.Effect<LedgerAudit, StoreUnavailable>
    /** The same from the lines since the last checkpoint, and the sums up to it (OPERATOR-31). */
    readonly auditSinceCheckpoint: Effect.Effect<LedgerAudit, StoreUnavailable>
  }
>()("@agent-marketplace/core/wallets/Wallets") {
  static readonly layer = Layer.effect(
    Wallets,
    Effect.gen(function* () {
      const store = yield* WalletStore
      const settlement = yield* Settlement
      const chain = yield* Chain
      const clock = yield* MarketClock
      const config = yield* MarketConfig
      const ids = yield* idGenerator
      const scan = yield* scanStart

      const find = Effect.fnUntraced(function* (caller: Caller) {
        const owner = yield* ownerOf(caller)
        const found = yield* store.find(owner)
        return Option.isSome(found) ? found.value : yield* Effect.die(new Error("an account without a wallet"))
      })

      /** An address that is not known to be unused is not issued by a market that has a scan position, since its database may be a restored one. */
      const unusedAddress = Effect.fnUntraced(function* (index: number) {
        const address = yield* chain.depositAddress(index)
        const known = yield* Effect.timeoutOrElse(chain.hasHistory(address), {
          duration: historyTimeLimit,
          orElse: () => Effect.fail(new ChainUnavailable({ reason: "the chain does not answer" }))
        }).pipe(
          Effect.catchTag("ChainUnavailable", (unavailable) =>
            Effect.flatMap(store.scanned, ({ networks }) =>
              networks.length === 0 ? Effect.succeed(false) : Effect.fail(unavailable)
            )
          )
        )
        return known ? yield* new AddressInUse() : address
      })

      const assignAddress = (owner: AccountId) =>
        Effect.retry(store.assignAddress(owner, unusedAddress), {
          times: mostSkipped,
          while: ({ _tag }) => _tag === "AddressInUse"
        }).pipe(
          Effect.catchTag("AddressInUse", () =>
            Effect.fail(new ChainUnavailable({ reason: "the next deposit addresses are in use: repeat the request" }))
          )
        )

      const checkDestination = yield* destinationCheck
      const fees = yield* withdrawalFees
      const screen = yield* screenTransfer

      const ruleViolations = Effect.fnUntraced(function* ({ amount, destinationAddress }: Partial<WithdrawalRequest>) {
        const against = destinationAddress === undefined ? undefined : yield* checkDestination(destinationAddress)
        return [
          ...(amount !== undefined && amount < config.withdrawalMinimum
            ? [{ path: "amount", message: `must be at least ${Usdt.withCurrency(config.withdrawalMinimum)}` }]
            : []),
          ...(against === undefined ? [] : [{ path: "destinationAddress", message: against }])
        ]
      })

      /** Money is held only for a payment that the token does not refuse. While the chain does not answer, nothing is accepted (WITHDRAWAL-21). */
      const acceptable = Effect.fnUntraced(function* (request: WithdrawalRequest) {
        const issues = yield* ruleViolations(request)
        if (issues.length > 0) return yield* new ValidationFailed({ issues })
        const refusal = yield* Effect.timeoutOrElse(chain.refusal(request.destinationAddress), {
          duration: refusalTimeLimit,
          orElse: () => Effect.fail(new ChainUnavailable({ reason: "the chain does not answer" }))
        })
        if (refusal === null) return
        const message = "must be an address to which the token can be transferred"
        return yield* new ValidationFailed({ issues: [{ path: "destinationAddress", message }] })
      })

      /** While screening is unavailable the withdrawal is accepted, and waits for it before it is paid (SCREENING-7). */
      const isFlagged = Effect.fnUntraced(function* (accountId: AccountId, request: WithdrawalRequest) {
        const screened = yield* screen(withdrawalTransfer(request, chain.name, null))
        if (screened._tag !== "Flagged") return false
        const { reference, source } = screened.evidence
        yield* Effect.logInfo("screening refused a withdrawal").pipe(
          Effect.annotateLogs({ accountId, destination: request.destinationAddress, source, reference })
        )
        return true
      })

      return {
        ruleViolations,
        balance: Effect.fn("Wallets.balance")(find),
        deposit: Effect.fn("Wallets.deposit")(function* (caller) {
          const owner = yield* ownerOf(caller)
          const wallet = yield* find(caller)
          const assign = Effect.andThen(scan.ensureStart, assignAddress(owner))
          const address = wallet.depositAddress ?? (yield* assign)
          return {
            address,
            chain: chain.name,
            balance: Usdt.of(wallet.available + wallet.locked),
            qrCode: `${config.baseUrl}/api/v1/wallet/deposit/${address}/qr.png`
          }
        }),
        transactions: Effect.fn("Wallets.transactions")(function* (caller, page) {
          return yield* store.transactions(yield* ownerOf(caller), page)
        }),
        exportTransactions: Effect.fn("Wallets.exportTransactions")((caller) =>
          Effect.map(ownerOf(caller), store.exportTransactions)
        ),
        withdrawals: Effect.fn("Wallets.withdrawals")(function* (caller, page) {
          return yield* store.listWithdrawals(yield* ownerOf(caller), page)
        }),
        withdraw: Effect.fn("Wallets.withdraw")(function* (caller, request, idempotencyKey) {
          const accountId = yield* ownerOf(caller)
          yield* acceptable(request)
          const { amount, destinationAddress, quote } = request
          const payout = { accountId, amount, destinationAddress }
          const quoted = quote === undefined ? undefined : yield* fees.read(payout, quote)
          if (quote !== undefined && quoted === undefined) {
            const message = "must be the id of a quote for this amount and address, from this account"
            return yield* new ValidationFailed({ issues: [{ path: "quote", message }] })
          }
          const { result, replayed } = yield* settlement.submit({
            _tag: "Withdraw",
            withdrawalId: quoted?.withdrawalId ?? (yield* ids.make("withdrawal")),
            accountId,
            amount,
            fee: quoted?.fee ?? (yield* fees.current(payout)),
            quoteExpiresAt: quoted?.expiresAt ?? null,
            network: chain.name,
            destinationAddress,
            reviewAbove: config.withdrawalReviewAbove,
            flagged: yield* isFlagged(accountId, request),
            idempotency: keyed(
              accountId,
              idempotencyKey,
              fingerprint("withdraw", amount, destinationAddress, ...(quote === undefined ? [] : [quote]))
            )
          })
          if (result._tag !== "Withdrawal") return yield* Effect.die(new Error("not the result of a withdrawal"))
          return { value: result.withdrawal, replayed }
        }),
        quote: Effect.fn("Wallets.quote")(function* (caller, { amount, destinationAddress }) {
          const accountId = yield* ownerOf(caller)
          yield* acceptable({ amount, destinationAddress })
          const payout = { accountId, amount, destinationAddress }
          const { activatesAddress, fee } = yield* fees.estimate(payout)
          const expiresAt = (yield* clock.now) + quoteLifetime
          const id = yield* fees.sign(payout, { withdrawalId: yield* ids.make("withdrawal"), fee, expiresAt })
          return { id, amount, fee, expiresAt, activatesAddress }
        }),
        withdrawal: Effect.fn("Wallets.withdrawal")(function* (caller, id) {
          const found = yield* store.findWithdrawal(id, yield* ownerOf(caller))
          return Option.isSome(found) ? found.value : yield* new NotFound({ resource: "WITHDRAWAL" })
        }),
        cancelWithdrawal: Effect.fn("Wallets.cancelWithdrawal")(function* (caller, withdrawalId, idempotencyKey) {
          const accountId = yield* ownerOf(caller)
          const found = yield* store.findWithdrawal(withdrawalId, accountId)
          if (Option.isNone(found)) return yield* new NotFound({ resource: "WITHDRAWAL" })
          const { result, replayed } = yield* settlement.submit({
            _tag: "MoveWithdrawal",
            withdrawalId,
            accountId,
            step: { to: "cancelled" },
            idempotency: keyed(accountId, idempotencyKey, fingerprint("cancel-withdrawal", withdrawalId))
          })
          if (result._tag !== "Withdrawal") return yield* Effect.die(new Error("not the result of a withdrawal"))
          return { value: result.withdrawal, replayed }
        }),
        isDepositAddress: Effect.fn("Wallets.isDepositAddress")((address) =>
          Effect.map(store.ownersOf([address]), (owners) => owners.has(address))
        ),
        releaseDue: Effect.gen(function* () {
          const due = yield* store.dueEscrow(yield* clock.now, releaseBatchSize)
          const byAccount = new Map<AccountId, Array<string>>()
          for (const { accountId, reference } of due) {
            byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), reference])
          }
          if (due.length > 0) {
            yield* settlement.submitAll(
              [...byAccount].map(([accountId, references]) => ({ _tag: "ReleaseEscrow", accountId, references }))
            )
          }
          return due.length
        }),
        audit: store.audit,
        auditSinceCheckpoint: Effect.flatMap(clock.now, store.auditSinceCheckpoint)
      }
    })
  )
}
