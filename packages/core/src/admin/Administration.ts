import { Context, Effect, Layer, Option } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Conflict, NotFound } from "../errors/MarketError.ts"
import type { QuotaName, StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId, KeyId, PurchaseId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Account, Tier } from "../identity/Account.ts"
import type { Agent } from "../identity/Agent.ts"
import type { ApiKey } from "../identity/ApiKey.ts"
import { Identity } from "../identity/Identity.ts"
import { IdentityStore } from "../identity/IdentityStore.ts"
import type { QuotaPatch } from "../identity/Quotas.ts"
import { quotaNames, quotaOf } from "../identity/Quotas.ts"
import type { IssuedKey } from "../identity/makeKeys.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Purchase } from "../purchases/Purchase.ts"
import { PurchaseStore } from "../purchases/PurchaseStore.ts"
import { Settlement } from "../settlement/Settlement.ts"
import type { Wallet } from "../wallets/WalletStore.ts"
import { WalletStore } from "../wallets/WalletStore.ts"
import { ActionStore } from "./ActionStore.ts"
import type { ActionFilter } from "./ActionStore.ts"
import { AdminStore } from "./AdminStore.ts"
import type { AccountCounts, AccountFilter, PurchaseFilter } from "./AdminStore.ts"
import type { ActionDraft, Operator, OperatorAction } from "./OperatorAction.ts"

/** An account with everything that an operator needs for decisions. */
export interface AccountOverview {
  readonly account: Account
  readonly wallet: Wallet
  /** The newest hundred, including deactivated ones. */
  readonly keys: ReadonlyArray<ApiKey>
  /** The newest hundred, including retired ones. */
  readonly agents: ReadonlyArray<Agent>
  readonly counts: AccountCounts
}

/** One quota of an account; a null limit means unlimited. */
export interface QuotaUse {
  readonly name: QuotaName
  readonly limit: number | null
  readonly used: number
}

const hundred: PageRequest = { page: 1, limit: 100 }

const noAccount = new NotFound({ resource: "ACCOUNT" })

type Failure = NotFound | StoreUnavailable

/** The operator's view and actions. Every write is recorded in the log of actions (OPERATOR-5 to OPERATOR-15). */
export class Administration extends Context.Service<
  Administration,
  {
    readonly accounts: (filter: AccountFilter, page: PageRequest) => Effect.Effect<Page<Account>, StoreUnavailable>
    readonly account: (id: AccountId) => Effect.Effect<AccountOverview, Failure>
    /** The account's limit and usage for each quota; releases count 0 (ACCOUNT-11). */
    readonly quotas: (id: AccountId) => Effect.Effect<ReadonlyArray<QuotaUse>, Failure>
    readonly updateAccount: (
      operator: Operator,
      id: AccountId,
      patch: {
        readonly tier?: Tier
        readonly seller?: boolean
        readonly hourlyLimit?: number | null
        readonly operator?: boolean
        readonly quotas?: QuotaPatch
      }
    ) => Effect.Effect<Account, Failure>
    /**
     * When this returns, every process refuses the account's writes, its pending approvals are rejected, and nothing that was decided
     * before can still commit. Its items are withheld from sale. Freezing a frozen account changes only the reason.
     */
    readonly freeze: (operator: Operator, id: AccountId, reason: string) => Effect.Effect<Account, Failure>
    /** Its items are for sale again. */
    readonly unfreeze: (operator: Operator, id: AccountId) => Effect.Effect<Account, Failure>
    /** Issues a new FULL key. All other keys of the account and of its agents, and its sessions, end immediately on every process. */
    readonly recover: (operator: Operator, id: AccountId) => Effect.Effect<IssuedKey, Failure>
    readonly endKey: (operator: Operator, id: KeyId) => Effect.Effect<void, Conflict | Failure>
    readonly purchases: (filter: PurchaseFilter, page: PageRequest) => Effect.Effect<Page<Purchase>, StoreUnavailable>
    readonly purchase: (id: PurchaseId) => Effect.Effect<Purchase, Failure>
    readonly actions: (filter: ActionFilter, page: PageRequest) => Effect.Effect<Page<OperatorAction>, StoreUnavailable>
    /** An action whose states before and after are not known yet. */
    readonly draft: (
      operator: Operator,
      action: string,
      subject: string,
      reason?: string | null
    ) => Effect.Effect<ActionDraft, StoreUnavailable>
  }
>()("@agent-marketplace/core/admin/Administration") {
  static readonly layer = Layer.effect(
    Administration,
    Effect.gen(function* () {
      const store = yield* IdentityStore
      const adminStore = yield* AdminStore
      const actionStore = yield* ActionStore
      const wallets = yield* WalletStore
      const purchaseStore = yield* PurchaseStore
      const identity = yield* Identity
      const settlement = yield* Settlement
      const clock = yield* MarketClock
      const ids = yield* idGenerator

      const draft = Effect.fnUntraced(function* (
        operator: Operator,
        action: string,
        subject: string,
        reason: string | null = null
      ) {
        const { name: actor, reason: given = null, requestId } = operator
        const at = yield* clock.now
        return { id: yield* ids.make("action"), at, actor, action, subject, reason: reason ?? given, requestId }
      })

      const accountOrFail = (found: Effect.Effect<Option.Option<Account>, StoreUnavailable>) =>
        Effect.flatMap(found, (account) => Effect.fromOption(account).pipe(Effect.mapError(() => noAccount)))

      const setFrozen = Effect.fnUntraced(function* (operator: Operator, id: AccountId, reason: string | null) {
        const freeze = reason === null ? null : { since: yield* clock.now, reason }
        const action = yield* draft(operator, freeze === null ? "account.unfreeze" : "account.freeze", id, reason)
        if (!(yield* store.setFrozen(id, freeze, { action }))) return yield* noAccount
        if (freeze !== null) yield* settlement.stop(id, null)
        return yield* accountOrFail(store.findAccount(id))
      })

      return {
        draft,
        accounts: adminStore.accounts,
        account: Effect.fn("Administration.account")(function* (id) {
          const account = yield* accountOrFail(store.findAccount(id))
          const [wallet, keys, agents, counts] = yield* Effect.all([
            wallets.find(id),
            store.listKeys(id, hundred),
            store.listAgents(id, hundred),
            adminStore.counts(id)
          ])
          if (Option.isNone(wallet)) return yield* noAccount
          return { account, wallet: wallet.value, keys: keys.items, agents: agents.items, counts }
        }),
        quotas: Effect.fn("Administration.quotas")(function* (id) {
          const account = yield* accountOrFail(store.findAccount(id))
          const counts = yield* adminStore.counts(id)
          return quotaNames.map((name) => ({
            name,
            limit: quotaOf(account, name),
            used: counts[name]
          }))
        }),
        updateAccount: Effect.fn("Administration.updateAccount")(function* (operator, id, patch) {
          const action = yield* draft(operator, "account.update", id)
          return yield* accountOrFail(store.updateAccount(id, patch, action))
        }),
        freeze: Effect.fn("Administration.freeze")((operator, id, reason) => setFrozen(operator, id, reason)),
        unfreeze: Effect.fn("Administration.unfreeze")((operator, id) => setFrozen(operator, id, null)),
        recover: Effect.fn("Administration.recover")(function* (operator, id) {
          const issued = yield* identity.issueKey(id, "Recovery key")
          const action = yield* draft(operator, "account.recover", id)
          const recovered = yield* store.recover({ ...issued.key, accountId: id }, action)
          if (!recovered) return yield* noAccount
          return issued
        }),
        endKey: Effect.fn("Administration.endKey")(function* (operator, id) {
          const ended = yield* store.endKey(id, yield* draft(operator, "key.end", id))
          if (Option.isNone(ended)) return yield* new NotFound({ resource: "KEY" })
          if (!ended.value) return yield* new Conflict({ state: "deactivated" })
        }),
        purchases: adminStore.purchases,
        purchase: Effect.fn("Administration.purchase")(function* (id) {
          const found = yield* purchaseStore.find(id)
          if (Option.isNone(found)) return yield* new NotFound({ resource: "PURCHASE" })
          return found.value
        }),
        actions: actionStore.list
      }
    })
  )
}
