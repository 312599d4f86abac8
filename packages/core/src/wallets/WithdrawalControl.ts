import { Context, Effect, Layer } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import type { AgentNotClaimed, Issue, StoreUnavailable } from "../errors/MarketError.ts"
import { ValidationFailed } from "../errors/MarketError.ts"
import type { AddressId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { Settlement } from "../settlement/Settlement.ts"
import { destinationCheck } from "./destinationCheck.ts"
import { WalletStore } from "./WalletStore.ts"
import type { SavedAddress, StoredWithdrawalRules, WithdrawalRulesPatch } from "./WithdrawalRules.ts"
import { rulesAt } from "./WithdrawalRules.ts"

export interface AddressDraft {
  readonly address: string
  readonly label?: string | undefined
}

type Failure = AgentNotClaimed | StoreUnavailable

/** An owner's address book and rules for withdrawals (WITHDRAWAL-15, WITHDRAWAL-16). */
export class WithdrawalControl extends Context.Service<
  WithdrawalControl,
  {
    /** Newest first. */
    readonly addresses: (caller: Caller, page: PageRequest) => Effect.Effect<Page<SavedAddress>, Failure>
    /** The issues of an address for the address book, if it is given. */
    readonly addressViolations: (draft: Partial<AddressDraft>) => Effect.Effect<ReadonlyArray<Issue>, StoreUnavailable>
    readonly saveAddress: (
      caller: Caller,
      draft: AddressDraft
    ) => Effect.Effect<SavedAddress, Failure | Refusal | ValidationFailed>
    readonly removeAddress: (caller: Caller, id: AddressId) => Effect.Effect<void, Failure | Refusal>
    /** The rules in effect, and what is pending. */
    readonly policy: (caller: Caller) => Effect.Effect<StoredWithdrawalRules, Failure>
    readonly changePolicy: (
      caller: Caller,
      patch: WithdrawalRulesPatch
    ) => Effect.Effect<StoredWithdrawalRules, Failure | Refusal>
  }
>()("@agent-marketplace/core/wallets/WithdrawalControl") {
  static readonly layer = Layer.effect(
    WithdrawalControl,
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* WalletStore
      const settlement = yield* Settlement
      const ids = yield* idGenerator
      const checkDestination = yield* destinationCheck

      const addressViolations = Effect.fnUntraced(function* ({ address }: Partial<AddressDraft>) {
        const message = address === undefined ? undefined : yield* checkDestination(address)
        return message === undefined ? [] : [{ path: "address", message }]
      })

      return {
        addressViolations,
        addresses: Effect.fn("WithdrawalControl.addresses")(function* (caller, page) {
          return yield* store.savedAddresses(yield* ownerOf(caller), page)
        }),
        saveAddress: Effect.fn("WithdrawalControl.saveAddress")(function* (caller, { address, label }) {
          const accountId = yield* ownerOf(caller)
          const issues = yield* addressViolations({ address })
          if (issues.length > 0) return yield* new ValidationFailed({ issues })
          const id = yield* ids.make("address")
          const command = { _tag: "SaveAddress", accountId, id, address, label: label ?? null } as const
          const { result } = yield* settlement.submit(command)
          if (result._tag !== "SavedAddress") return yield* Effect.die(new Error("not the result of a saved address"))
          return result.saved
        }),
        removeAddress: Effect.fn("WithdrawalControl.removeAddress")(function* (caller, id) {
          yield* settlement.submit({ _tag: "RemoveAddress", accountId: yield* ownerOf(caller), id })
        }),
        policy: Effect.fn("WithdrawalControl.policy")(function* (caller) {
          return rulesAt(yield* store.withdrawalRules(yield* ownerOf(caller)), yield* clock.now)
        }),
        changePolicy: Effect.fn("WithdrawalControl.changePolicy")(function* (caller, patch) {
          const accountId = yield* ownerOf(caller)
          const { result } = yield* settlement.submit({ _tag: "ChangeWithdrawalRules", accountId, patch })
          if (result._tag !== "WithdrawalRules")
            return yield* Effect.die(new Error("not the result of a change of rules"))
          return result.stored
        })
      }
    })
  )
}
