import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp as Time } from "@agent-marketplace/core/clock/Timestamp"
import type { Domain } from "@agent-marketplace/core/domains/Domain"
import { checked, domainLimit } from "@agent-marketplace/core/domains/Domain"
import { DomainStore } from "@agent-marketplace/core/domains/DomainStore"
import type { Account } from "@agent-marketplace/core/identity/Account"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import type { Layer } from "effect"
import { eraseNow } from "../fixtures/eraseNow.ts"
import { freshText, freshWord } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"

const page = { page: 1, limit: 100 }

const proved = { _tag: "Proved" } as const
const absent = { _tag: "Absent", reason: "no TXT record has the token" } as const
const unreachable = { _tag: "Unreachable", reason: "the name servers did not answer" } as const

const domainOf = Effect.fnUntraced(function* (accountId: AccountId, domain = `${freshWord()}.dev`) {
  const store = yield* DomainStore
  const createdAt = yield* (yield* MarketClock).now
  const fresh = { status: "pending", checkedAt: null, problem: null, failures: 0, dueAt: null } as const
  return yield* store.add({ ...fresh, accountId, domain, token: `amv_${freshText()}`, createdAt })
})

const prove = Effect.fnUntraced(function* ({ accountId, domain }: Domain, at?: Timestamp) {
  const store = yield* DomainStore
  const now = at ?? (yield* (yield* MarketClock).now)
  return Option.getOrThrow(yield* store.settle(accountId, domain, (before) => checked(before, proved, now)))
})

/** The mark of a listing, of a soul and of their creator. */
const marksOf = Effect.fnUntraced(function* (of: {
  readonly account: Account
  readonly listing: Listing
  readonly soul: Soul
}) {
  const [listings, souls] = [yield* ListingStore, yield* SoulStore]
  const { creatorVerified } = Option.getOrThrow(yield* listings.find(of.listing.id))
  const found = Option.getOrThrow(yield* souls.findBySlug(of.soul.slug))
  const [profile] = yield* listings.creators([of.account.id])
  return [creatorVerified, found.creatorVerified, profile?.verified]
})

/** The contract of `DomainStore`. */
export const domainStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: DomainStore`, stores, (it) => {
    it.effect("a domain is stored once for each account, listed by name, and removed (DOMAIN-1)", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const account = yield* openAccount()
        const first = yield* domainOf(account.id, "b.dev")
        yield* domainOf(account.id, "a.dev")
        assert.deepStrictEqual(yield* domainOf(account.id, "b.dev"), first, "the token stays")
        const listed = yield* store.list(account.id, page)
        assert.deepStrictEqual([listed.items.map(({ domain }) => domain), listed.total], [["a.dev", "b.dev"], 2])
        assert.deepStrictEqual(yield* store.find(account.id, "b.dev"), Option.some(first))
        assert.isTrue(yield* store.remove(account.id, "b.dev"))
        assert.isFalse(yield* store.remove(account.id, "b.dev"))
        assert.isTrue(Option.isNone(yield* store.settle(account.id, "b.dev", (before) => before)))
      })
    )

    it.effect("concurrent additions stop at the limit (DOMAIN-8)", () =>
      Effect.gen(function* () {
        const { id } = yield* openAccount()
        const outcomes = yield* Effect.forEach(
          Array.from({ length: domainLimit + 5 }),
          () => Effect.result(domainOf(id)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(outcomes.filter(Result.isSuccess), domainLimit)
      })
    )

    it.effect("the mark is on all items of the creator while a domain is verified, also on new ones (DOMAIN-7)", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const account = yield* openAccount()
        const [listing, soul] = [yield* listingOnSale(account), yield* publishedSoul(account)]
        const [one, two] = [yield* domainOf(account.id), yield* domainOf(account.id)]
        const marks = marksOf({ account, listing, soul })
        assert.deepStrictEqual(yield* marks, [false, false, false])
        yield* prove(one)
        yield* prove(two)
        assert.deepStrictEqual(yield* marks, [true, true, true])
        assert.isTrue((yield* listingOnSale(account)).creatorVerified)
        assert.isTrue((yield* publishedSoul(account)).creatorVerified)
        assert.deepStrictEqual(yield* store.verified(account.id), [one.domain, two.domain].sort())
        yield* store.remove(account.id, one.domain)
        assert.deepStrictEqual(yield* marks, [true, true, true])
        yield* store.remove(account.id, two.domain)
        assert.deepStrictEqual(yield* marks, [false, false, false])
      })
    )

    it.effect(
      "a frozen account has no mark, until the freeze ends and if a domain is still verified (DOMAIN-7, DOMAIN-8)",
      () =>
        Effect.gen(function* () {
          const [store, identity] = [yield* DomainStore, yield* IdentityStore]
          const account = yield* openAccount()
          const marks = marksOf({
            account,
            listing: yield* listingOnSale(account),
            soul: yield* publishedSoul(account)
          })
          const domain = yield* domainOf(account.id)
          yield* prove(domain)
          const since = yield* (yield* MarketClock).now
          const freeze = identity.setFrozen(account.id, { since, reason: "a test" })
          const unfreeze = identity.setFrozen(account.id, null)
          yield* freeze
          assert.deepStrictEqual(yield* marks, [false, false, false])
          assert.deepStrictEqual(yield* store.verified(account.id), [])
          yield* prove(domain)
          assert.deepStrictEqual(yield* marks, [false, false, false], "a check during the freeze")
          yield* unfreeze
          assert.deepStrictEqual(yield* marks, [true, true, true])
          assert.deepStrictEqual(yield* store.verified(account.id), [domain.domain])
          yield* freeze
          yield* store.settle(account.id, domain.domain, (before) => checked(before, absent, since))
          yield* unfreeze
          assert.deepStrictEqual(yield* marks, [false, false, false], "the domain lost its proof")
        })
    )

    it.effect("the items of an erased account lose the mark (DOMAIN-8)", () =>
      Effect.gen(function* () {
        const account = yield* openAccount()
        const marks = marksOf({ account, listing: yield* listingOnSale(account), soul: yield* publishedSoul(account) })
        yield* prove(yield* domainOf(account.id))
        assert.deepStrictEqual(yield* marks, [true, true, true])
        yield* eraseNow(account)
        const [listing, soul, profile] = yield* marks
        assert.deepStrictEqual([listing, soul], [false, false])
        assert.notStrictEqual(profile, true)
      })
    )

    it.effect("a freeze beside a proof leaves no mark, and the end of the freeze none missing (DOMAIN-7)", () =>
      Effect.gen(function* () {
        const identity = yield* IdentityStore
        for (let round = 0; round < 5; round++) {
          const account = yield* openAccount()
          const marks = marksOf({
            account,
            listing: yield* listingOnSale(account),
            soul: yield* publishedSoul(account)
          })
          const domain = yield* domainOf(account.id)
          const since = yield* (yield* MarketClock).now
          const freeze = identity.setFrozen(account.id, { since, reason: "a test" })
          yield* Effect.all([prove(domain), freeze], { concurrency: "unbounded" })
          assert.deepStrictEqual(yield* marks, [false, false, false])
          yield* Effect.all([prove(domain), identity.setFrozen(account.id, null)], { concurrency: "unbounded" })
          assert.deepStrictEqual(yield* marks, [true, true, true])
        }
      })
    )

    it.effect("of two accounts that prove one domain at once, the later one has it (DOMAIN-6)", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const name = `${freshWord()}.dev`
        const accounts = yield* Effect.replicateEffect(openAccount(), 6)
        const domains = yield* Effect.forEach(accounts, ({ id }) => domainOf(id, name))
        yield* Effect.forEach(domains, (domain) => prove(domain), { concurrency: "unbounded" })
        const after = yield* Effect.forEach(accounts, ({ id }) => store.find(id, name))
        const verified = after.map(Option.getOrThrow).filter(({ status }) => status === "verified")
        assert.lengthOf(verified, 1)
        const again =
          domains.find(({ accountId }) => accountId !== verified[0]?.accountId) ?? assert.fail("six accounts")
        yield* prove(again)
        const lost = Option.getOrThrow(yield* store.find(verified[0]?.accountId ?? again.accountId, name))
        assert.deepInclude(lost, { status: "pending", dueAt: null })
        assert.match(lost.problem ?? "", /another account/)
      })
    )

    it.effect(
      "verified domains are due after a week; an unreachable one stays verified for two more days (DOMAIN-5)",
      () =>
        Effect.gen(function* () {
          const store = yield* DomainStore
          const now = yield* (yield* MarketClock).now
          const added = yield* domainOf((yield* openAccount()).id)
          const isDue = (at: Timestamp) =>
            Effect.map(store.due(at, 1000), (all) => all.some(({ domain }) => domain === added.domain))
          assert.isFalse(yield* isDue(now + 30 * Time.day))
          yield* prove(added, now)
          assert.isFalse(yield* isDue(now + 7 * Time.day - 1))
          assert.isTrue(yield* isDue(now + 7 * Time.day))
          for (const [day, status] of [
            [7, "verified"],
            [8, "verified"],
            [9, "pending"]
          ] as const) {
            const at = now + day * Time.day
            const rule = (before: Domain) => checked(before, unreachable, at)
            const after = Option.getOrThrow(yield* store.settle(added.accountId, added.domain, rule))
            assert.deepInclude(after, { status, problem: unreachable.reason, checkedAt: at })
          }
          assert.isFalse(yield* isDue(now + 30 * Time.day))
        })
    )

    it.effect("an erased account has no domains, and others can prove them (DOMAIN-8)", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const [gone, next] = [yield* openAccount(), yield* openAccount()]
        const domain = yield* domainOf(gone.id)
        yield* prove(domain)
        yield* eraseNow(gone)
        assert.strictEqual((yield* store.list(gone.id, page)).total, 0)
        assert.strictEqual((yield* prove(yield* domainOf(next.id, domain.domain))).status, "verified")
      })
    )
  })
