import { Context, Effect, Layer, Option } from "effect"
import { ApprovalStore } from "../approvals/ApprovalStore.ts"
import type { SpendingPolicy } from "../approvals/SpendingPolicy.ts"
import { defaultPolicy } from "../approvals/SpendingPolicy.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import type { AgentNotClaimed } from "../errors/MarketError.ts"
import { NotFound } from "../errors/MarketError.ts"
import type { Wallet } from "../wallets/WalletStore.ts"
import { WalletStore } from "../wallets/WalletStore.ts"
import type { StoredWithdrawalRules } from "../wallets/WithdrawalRules.ts"
import { rulesAt } from "../wallets/WithdrawalRules.ts"
import type { Account } from "./Account.ts"
import type { Caller } from "./Caller.ts"
import { ownerOf } from "./Caller.ts"
import type { ExportedStreams } from "./ExportStore.ts"
import { ExportStore } from "./ExportStore.ts"
import { IdentityStore } from "./IdentityStore.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** An account with all its records. */
export interface AccountExport {
  readonly account: Account
  readonly wallet: Wallet
  readonly policy: SpendingPolicy
  readonly withdrawalRules: StoredWithdrawalRules
  readonly records: ExportedStreams
}

/** Exports everything that an account has (ACCOUNT-6). */
export class AccountExports extends Context.Service<
  AccountExports,
  {
    /** The records are read while they are consumed. */
    readonly export: (caller: Caller) => StoreEffect<AccountExport, AgentNotClaimed | NotFound>
  }
>()("@agent-marketplace/core/identity/AccountExports") {
  static readonly layer = Layer.effect(
    AccountExports,
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* ExportStore
      const identity = yield* IdentityStore
      const wallets = yield* WalletStore
      const approvals = yield* ApprovalStore
      return {
        export: Effect.fn("AccountExports.export")(function* (caller) {
          const owner = yield* ownerOf(caller)
          const [account, wallet, policy, rules] = yield* Effect.all([
            identity.findAccount(owner),
            wallets.find(owner),
            approvals.policy(owner),
            wallets.withdrawalRules(owner)
          ])
          if (Option.isNone(account) || Option.isNone(wallet)) return yield* new NotFound({ resource: "ACCOUNT" })
          return {
            account: account.value,
            wallet: wallet.value,
            policy: Option.getOrElse(policy, () => defaultPolicy),
            withdrawalRules: rulesAt(rules, yield* clock.now),
            records: { ...store.recordsOf(owner), transactions: wallets.exportTransactions(owner) }
          }
        })
      }
    })
  )
}
