import { Context, Effect, Layer, Option, Stream } from "effect"
import { ApprovalStore } from "../approvals/ApprovalStore.ts"
import type { SpendingPolicy } from "../approvals/SpendingPolicy.ts"
import { defaultPolicy } from "../approvals/SpendingPolicy.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import type { AgentNotClaimed, StoreUnavailable } from "../errors/MarketError.ts"
import { NotFound } from "../errors/MarketError.ts"
import type { NotificationPreferences } from "../notifications/NotificationKind.ts"
import { defaultPreferences } from "../notifications/NotificationKind.ts"
import { NotificationStore } from "../notifications/NotificationStore.ts"
import { OauthStore } from "../oauth/OauthStore.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { PasskeyStore } from "../passkeys/PasskeyStore.ts"
import { SessionStore } from "../sessions/SessionStore.ts"
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
  readonly notificationPreferences: NotificationPreferences
  readonly records: ExportedStreams
}

const pageSize = 100

/** Every record of a short list once, although a new record moves the others to later pages. */
const paged = <A extends { readonly id: string }>(
  list: (page: PageRequest) => StoreEffect<Page<A>>
): Stream.Stream<A, StoreUnavailable> =>
  Stream.suspend(() => {
    const seen = new Set<string>()
    return Stream.paginate(1, (page) =>
      Effect.map(list({ page, limit: pageSize }), ({ items, total }) => {
        const fresh = items.filter(({ id }) => !seen.has(id))
        for (const { id } of fresh) seen.add(id)
        return [fresh, page * pageSize < total ? Option.some(page + 1) : Option.none<number>()] as const
      })
    )
  })

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
      const sessions = yield* SessionStore
      const passkeys = yield* PasskeyStore
      const grants = yield* OauthStore
      const notifications = yield* NotificationStore
      return {
        export: Effect.fn("AccountExports.export")(function* (caller) {
          const owner = yield* ownerOf(caller)
          const [account, wallet, policy, rules, preferences] = yield* Effect.all([
            identity.findAccount(owner),
            wallets.find(owner),
            approvals.policy(owner),
            wallets.withdrawalRules(owner),
            notifications.preferences(owner)
          ])
          if (Option.isNone(account) || Option.isNone(wallet)) return yield* new NotFound({ resource: "ACCOUNT" })
          return {
            account: account.value,
            wallet: wallet.value,
            policy: Option.getOrElse(policy, () => defaultPolicy),
            withdrawalRules: rulesAt(rules, yield* clock.now),
            notificationPreferences: Option.getOrElse(preferences, () => defaultPreferences),
            records: {
              ...store.recordsOf(owner),
              transactions: wallets.exportTransactions(owner),
              sessions: paged((page) => Effect.flatMap(clock.now, (now) => sessions.list(owner, now, page))),
              passkeys: paged((page) => passkeys.list(owner, page)),
              oauthGrants: paged((page) => grants.listGrants(owner, page)),
              notificationChannels: paged((page) => notifications.list(owner, page))
            }
          }
        })
      }
    })
  )
}
