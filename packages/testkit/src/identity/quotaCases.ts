import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type {
  AccountFrozen,
  Conflict,
  InvalidApiKey,
  NameTooSimilar,
  QuotaExceeded,
  QuotaName,
  StoreUnavailable
} from "@agent-marketplace/core/errors/MarketError"
import type { Account } from "@agent-marketplace/core/identity/Account"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { apiKey } from "../fixtures/apiKey.ts"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { freshId, freshWord } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { subscribed } from "../webhooks/webhookFixtures.ts"

type Counted = Exclude<QuotaName, "releaseBytes">

type Refused = AccountFrozen | Conflict | InvalidApiKey | NameTooSimilar | QuotaExceeded | StoreUnavailable

interface Removal {
  readonly remove: Effect.Effect<void, StoreUnavailable, MarketStores>
}

const removal = (remove: Effect.Effect<unknown, StoreUnavailable, MarketStores>): Removal => ({
  remove: Effect.asVoid(remove)
})

/** Creates one more record of the account, and returns an effect that removes it. */
const makers: Readonly<Record<Counted, (account: Account) => Effect.Effect<Removal, Refused, MarketStores>>> = {
  souls: (account) =>
    Effect.map(publishedSoul(account), ({ slug }) =>
      removal(
        Effect.flatMap(SoulStore, (store) =>
          store.modify(slug, (soul) => Result.succeed({ soul: { ...soul, deleted: true }, events: [] }))
        )
      )
    ),
  listings: (account) =>
    Effect.map(listingOnSale(account), ({ id }) =>
      removal(
        Effect.flatMap(ListingStore, (store) =>
          store.modify(id, (listing) => Result.succeed({ listing: { ...listing, status: "deleted" }, events: [] }))
        )
      )
    ),
  agents: (account) =>
    Effect.map(claimedAgent(account.id), ({ id }) =>
      removal(Effect.flatMap(IdentityStore, (store) => store.retireAgent(id, account.id, 1)))
    ),
  keys: (account) =>
    Effect.gen(function* () {
      const store = yield* IdentityStore
      const key = yield* apiKey({ accountId: account.id })
      yield* store.createKey(key, null)
      return removal(store.deactivateKey(key.id, account.id))
    }),
  webhooks: (account) =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const webhook = yield* subscribed(account)
      return removal(store.remove(webhook.id, account.id))
    })
}

const names = Object.keys(makers) as ReadonlyArray<Counted>

/** An account with the given quota for one kind of record. Its first key counts. */
const accountWith = Effect.fnUntraced(function* (name: Counted, limit: number) {
  const store = yield* IdentityStore
  const account = yield* openAccount({ tier: "free" })
  yield* store.updateAccount(account.id, { quotas: { [name]: name === "keys" ? limit + 1 : limit } })
  return account
})

const isRefused = <A>(outcome: Result.Result<A, Refused>): boolean =>
  Result.isFailure(outcome) && outcome.failure._tag === "QuotaExceeded"

/** Cases about quotas of an account (QUOTA-1 to QUOTA-5). */
export const quotaCases = (it: StoreIt): void => {
  for (const name of names) {
    it.effect(`concurrent creations of ${name} stop exactly at the quota (QUOTA-1)`, () =>
      Effect.gen(function* () {
        const account = yield* accountWith(name, 3)
        const outcomes = yield* Effect.forEach(Array.from({ length: 9 }), () => Effect.result(makers[name](account)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(outcomes.filter(Result.isSuccess), 3)
        assert.lengthOf(outcomes.filter(isRefused), 6)
        const refused = yield* Effect.flip(makers[name](account))
        const limit = name === "keys" ? 4 : 3
        assert.deepInclude(refused, { quota: name, limit, used: limit })
      })
    )

    it.effect(`deleted ${name} make room (QUOTA-3)`, () =>
      Effect.gen(function* () {
        const account = yield* accountWith(name, 1)
        const { remove } = yield* makers[name](account)
        assert.isTrue(isRefused(yield* Effect.result(makers[name](account))))
        yield* remove
        yield* makers[name](account)
      })
    )
  }

  it.effect("a rotated key counts once, during its grace period and afterwards (QUOTA-3)", () =>
    Effect.gen(function* () {
      const store = yield* IdentityStore
      const account = yield* accountWith("keys", 1)
      const key = yield* apiKey({ accountId: account.id })
      yield* store.createKey(key, null)
      const next = yield* apiKey({ accountId: account.id, rotatedFrom: key.id, familyId: key.familyId })
      assert.isTrue(yield* store.rotateKey(key.id, next, 4_000_000_000_000, null))
      yield* store.updateAccount(account.id, { quotas: { keys: 3 } })
      yield* makers.keys(account)
      assert.isTrue(isRefused(yield* Effect.result(makers.keys(account))))
    })
  )

  it.effect("a claim counts the agent and its keys, and changes nothing if the quota is exceeded (QUOTA-1)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* IdentityStore
      for (const name of ["agents", "keys"] as const) {
        const account = yield* accountWith(name, 0)
        const agent = {
          id: freshId("agt"),
          name: "Stray",
          ownerId: null,
          source: "api" as const,
          createdAt: yield* clock.now,
          retiredAt: null,
          frozen: null
        }
        const [code, key] = [freshWord(), yield* apiKey({ agentId: agent.id })]
        yield* store.createAgent(agent, key, code)
        const claim = store.claimAgent(code, account.id, defaultPolicy, null)
        assert.isTrue(isRefused(yield* Effect.result(claim)))
        assert.isNull(Option.getOrThrow(yield* store.findAgent(agent.id)).ownerId)
        yield* store.updateAccount(account.id, { quotas: { [name]: null } })
        assert.isTrue(Option.isSome(yield* claim))
      }
    })
  )

  it.effect("nothing is created for a frozen account (ACCOUNT-12)", () =>
    Effect.gen(function* () {
      const store = yield* IdentityStore
      const account = yield* openAccount()
      yield* store.setFrozen(account.id, { since: 7_000, reason: "stolen" })
      for (const name of names) {
        const refused = yield* Effect.flip(makers[name](account))
        assert.deepInclude(refused, { _tag: "AccountFrozen", reason: "stolen" }, name)
      }
    })
  )
}
