import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { Agent } from "@agent-marketplace/core/identity/Agent"
import type { ApiKey } from "@agent-marketplace/core/identity/ApiKey"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { emptyBalance } from "@agent-marketplace/core/wallets/Ledger"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { paged } from "../listings/listingIds.ts"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Option, Stream } from "effect"
import { apiKey } from "../fixtures/apiKey.ts"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { eventually } from "../fixtures/eventually.ts"
import { freshId, freshText, freshWord } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { onlyEvent } from "../fixtures/subjectEvents.ts"
import { walletOf } from "../fixtures/walletOf.ts"
import { controlCases } from "./controlCases.ts"
import { erasureCases } from "./erasureCases.ts"
import { quotaCases } from "./quotaCases.ts"

/** An unclaimed agent with a key and the hash of its claim code. */
const unclaimed = Effect.gen(function* () {
  const clock = yield* MarketClock
  const identity = yield* IdentityStore
  const agent: Agent = {
    id: freshId("agt"),
    name: "Stray",
    ownerId: null,
    source: "api",
    createdAt: yield* clock.now,
    retiredAt: null,
    frozen: null
  }
  const key = yield* apiKey({ agentId: agent.id })
  const code = freshText()
  yield* identity.createAgent(agent, key, code)
  return { agent, code, key }
})

/** A stored account's second key. */
const secondKey = Effect.fnUntraced(function* (fields: Partial<ApiKey> = {}) {
  const identity = yield* IdentityStore
  const account = yield* openAccount()
  const key = yield* apiKey({ accountId: account.id, ...fields })
  yield* identity.createKey(key, null)
  return { account, key }
})

const accountCases = (it: StoreIt): void => {
  it.effect("a new account has an empty wallet and a key that identifies it", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const account = yield* openAccount({ name: "Zoë 🦞", email: "zoe@example.com", tier: "pro", hourlyLimit: 7 })
      assert.deepStrictEqual(yield* identity.findAccount(account.id), Option.some(account))
      assert.deepStrictEqual(yield* identity.findAccount(freshId("usr")), Option.none())
      const [key] = (yield* identity.listKeys(account.id, { page: 1, limit: 10 })).items
      assert.deepStrictEqual(
        yield* identity.findCaller(key?.hash ?? ""),
        Option.some({
          keyId: key?.id,
          scope: "FULL",
          agentId: null,
          accountId: account.id,
          accountName: "Zoë 🦞",
          seller: true,
          tier: "pro",
          hourlyLimit: 7,
          expiresAt: null,
          frozen: null,
          agentFrozen: null
        }) as never
      )
      const { depositAddress, escrow, pending, ...balance } = yield* walletOf(account)
      assert.deepStrictEqual([depositAddress, escrow, pending, balance], [null, [], 0n, { ...emptyBalance }] as never)
    })
  )

  it.effect("concurrent creations with the same hash create one account, with one key and one wallet", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const hash = `host:${freshText()}`
      const wishes = yield* Effect.forEach(["A", "B", "C", "D"], (name) =>
        Effect.gen(function* () {
          const account: Account = {
            id: freshId("usr"),
            name,
            email: null,
            seller: false,
            tier: "free",
            hourlyLimit: null,
            quotas: {},
            operator: false,
            createdAt: yield* clock.now,
            frozen: null
          }
          return { account, key: yield* apiKey({ accountId: account.id, hash }) }
        })
      )
      const made = yield* Effect.forEach(wishes, ({ account, key }) => identity.createAccountOnce(account, key), {
        concurrency: "unbounded"
      })
      const winner = wishes[made.indexOf(true)]
      assert.isDefined(winner)
      assert.deepStrictEqual(made.toSorted(), [false, false, false, true])
      const caller = Option.getOrThrow(yield* identity.findCaller(hash))
      assert.deepInclude(caller, { accountId: winner.account.id, keyId: winner.key.id })
      for (const { account } of wishes) {
        const stored = Option.getOrNull(yield* identity.findAccount(account.id))
        assert.deepStrictEqual(stored, account.id === caller.accountId ? account : null)
      }
      yield* walletOf(winner.account)
    })
  )

  it.effect("a patch changes only the given fields", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const account = yield* openAccount({ email: "a@example.com", seller: false })
      const first = { ...account, seller: true, hourlyLimit: 3 }
      const patched = yield* identity.updateAccount(account.id, { seller: true, hourlyLimit: 3 })
      assert.deepStrictEqual(patched, Option.some(first))
      const second = { ...first, email: null, tier: "enterprise" as const, hourlyLimit: null }
      yield* identity.updateAccount(account.id, { email: null, tier: "enterprise", hourlyLimit: null })
      assert.deepStrictEqual(yield* identity.findAccount(account.id), Option.some(second))
      yield* identity.updateAccount(account.id, {})
      assert.deepStrictEqual(yield* identity.findAccount(account.id), Option.some(second))
      assert.deepStrictEqual(yield* identity.updateAccount(freshId("usr"), { name: "x" }), Option.none())
      const [key] = (yield* identity.listKeys(account.id, { page: 1, limit: 10 })).items
      const caller = Option.getOrThrow(yield* identity.findCaller(key?.hash ?? ""))
      assert.deepInclude(caller, { seller: true, tier: "enterprise", hourlyLimit: null })
    })
  )

  it.effect("a new name becomes the author and creator name of the account's souls and listings", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const listings = yield* ListingStore
      const souls = yield* SoulStore
      const account = yield* openAccount()
      const soul = yield* publishedSoul(account)
      const listing = yield* listingOnSale(account)
      const name = `Renamed ${freshWord()}`
      yield* identity.updateAccount(account.id, { name })
      assert.strictEqual(Option.getOrThrow(yield* souls.findBySlug(soul.slug)).author, name)
      assert.strictEqual(JSON.parse(Option.getOrThrow(yield* souls.detailJson(soul.slug))).author, name)
      assert.strictEqual(Option.getOrThrow(yield* listings.find(listing.id)).creatorName, name)
      const found = yield* listings.list(paged({ search: name.split(" ")[1], page: 1, limit: 5 }), "listing", "skill")
      assert.deepStrictEqual(
        JSON.parse(found.json).map((one: { id: string; creator: unknown }) => [one.id, one.creator]),
        [[listing.id, { id: account.id, name, verified: false }]]
      )
    })
  )
}

const agentCases = (it: StoreIt): void => {
  it.effect(
    "an agent that registers appears in the feed, and its key has no owner until it is claimed (AGENT-1, FEED-10)",
    () =>
      Effect.gen(function* () {
        const identity = yield* IdentityStore
        const { agent, key } = yield* unclaimed
        assert.deepStrictEqual(yield* identity.findAgent(agent.id), Option.some(agent))
        const event = yield* onlyEvent(agent.id)
        assert.deepStrictEqual([event.type, event.accounts], ["agent.registered", []])
        const caller = Option.getOrThrow(yield* identity.findCaller(key.hash))
        assert.deepInclude(caller, { keyId: key.id, agentId: agent.id, accountId: null, accountName: null })
      })
  )

  it.effect("a claim code works once and gives the agent's keys to the owner (AGENT-2)", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const { agent, code, key } = yield* unclaimed
      const [owner, late] = [yield* openAccount(), yield* openAccount()]
      assert.deepStrictEqual(yield* identity.claimAgent(freshText(), owner.id, defaultPolicy, null), Option.none())
      const claimed = { ...agent, ownerId: owner.id }
      assert.deepStrictEqual(yield* identity.claimAgent(code, owner.id, defaultPolicy, null), Option.some(claimed))
      assert.deepStrictEqual(yield* identity.claimAgent(code, late.id, defaultPolicy, null), Option.none())
      assert.deepStrictEqual(yield* identity.findAgent(agent.id), Option.some(claimed))
      const caller = Option.getOrThrow(yield* identity.findCaller(key.hash))
      assert.deepInclude(caller, { accountId: owner.id, accountName: owner.name, agentId: agent.id })
      const keys = yield* identity.listKeys(owner.id, { page: 1, limit: 10 })
      assert.isTrue(keys.items.some(({ accountId, id }) => id === key.id && accountId === owner.id))
      const agents = yield* identity.listAgents(owner.id, { page: 1, limit: 10 })
      assert.deepStrictEqual(agents, { items: [claimed], total: 1 })
    })
  )

  it.effect("of ten concurrent claims exactly one succeeds", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const { agent, code } = yield* unclaimed
      const owners = yield* Effect.forEach(Array.from({ length: 10 }), () => openAccount())
      const claims = yield* Effect.forEach(owners, ({ id }) => identity.claimAgent(code, id, defaultPolicy, null), {
        concurrency: "unbounded"
      })
      const [winner, ...more] = claims.filter(Option.isSome)
      assert.lengthOf(more, 0)
      assert.deepStrictEqual(yield* identity.findAgent(agent.id), winner as never)
    })
  )

  it.effect("lists only the owner's agents, newest first, page by page", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const [owner, other] = [yield* openAccount(), yield* openAccount()]
      const made: Array<Agent> = []
      for (let n = 0; n < 5; n++) {
        yield* clock.advance(1)
        made.unshift(yield* claimedAgent(owner.id))
      }
      yield* claimedAgent(other.id)
      assert.deepStrictEqual(yield* identity.listAgents(owner.id, { page: 1, limit: 3 }), {
        items: made.slice(0, 3),
        total: 5
      })
      assert.deepStrictEqual(yield* identity.listAgents(owner.id, { page: 2, limit: 3 }), {
        items: made.slice(3),
        total: 5
      })
      assert.deepStrictEqual(yield* identity.listAgents(owner.id, { page: 3, limit: 3 }), { items: [], total: 5 })
    })
  )
}

const keyCases = (it: StoreIt): void => {
  it.effect("keys are stored completely and listed newest first, including deactivated ones (KEY-5)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const { account, key } = yield* secondKey({ name: "robot", scope: "BUYER", expiresAt: 4_102_444_800_123 })
      assert.deepStrictEqual(yield* identity.findKey(key.id), Option.some(key))
      assert.deepStrictEqual(yield* identity.findKey(freshId("key")), Option.none())
      yield* clock.advance(1)
      const newest = yield* apiKey({ accountId: account.id })
      yield* identity.createKey(newest, null)
      yield* identity.deactivateKey(newest.id, account.id)
      const { items, total } = yield* identity.listKeys(account.id, { page: 1, limit: 2 })
      assert.deepStrictEqual([items[0], total], [{ ...newest, status: "deactivated" }, 3])
    })
  )

  it.effect("a caller is found only by the hash of an active key, even if the key has expired", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const { account, key } = yield* secondKey({ scope: "READ", expiresAt: 1 })
      const caller = Option.getOrThrow(yield* identity.findCaller(key.hash))
      assert.deepInclude(caller, { keyId: key.id, scope: "READ", accountId: account.id, expiresAt: 1 })
      assert.deepStrictEqual(yield* identity.findCaller(freshText()), Option.none())
      yield* identity.deactivateKey(key.id, account.id)
      assert.deepStrictEqual(yield* identity.findCaller(key.hash), Option.none())
    })
  )

  it.effect("only the owner deactivates a key, once", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const { account, key } = yield* secondKey()
      const stranger = yield* openAccount()
      assert.isFalse(yield* identity.deactivateKey(key.id, stranger.id))
      assert.isTrue(Option.isSome(yield* identity.findCaller(key.hash)))
      const done = yield* Effect.forEach(Array.from({ length: 8 }), () => identity.deactivateKey(key.id, account.id), {
        concurrency: "unbounded"
      })
      assert.lengthOf(done.filter(Boolean), 1)
      assert.isFalse(yield* identity.deactivateKey(freshId("key"), account.id))
    })
  )

  it.effect("rotation adds a key and ends the old one after the grace period, or at its own earlier expiry", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const { account, key } = yield* secondKey()
      const ends = (yield* clock.now) + 86_400_000
      const next = yield* apiKey({ accountId: account.id, expiresAt: ends + 5, familyEndsAt: ends + 7 })
      assert.isTrue(yield* identity.rotateKey(key.id, next, ends, null))
      assert.strictEqual(Option.getOrThrow(yield* identity.findCaller(key.hash)).expiresAt, ends)
      assert.deepStrictEqual(yield* identity.findKey(next.id), Option.some(next))
      const again = yield* apiKey({ accountId: account.id })
      assert.isTrue(yield* identity.rotateKey(key.id, again, ends + 1, null))
      assert.strictEqual(Option.getOrThrow(yield* identity.findKey(key.id)).expiresAt, ends)
      yield* identity.deactivateKey(next.id, account.id)
      const never = yield* apiKey({ accountId: account.id })
      assert.isFalse(yield* identity.rotateKey(next.id, never, ends, null))
      assert.isFalse(yield* identity.rotateKey(freshId("key"), never, ends, null))
      assert.deepStrictEqual(yield* identity.findKey(never.id), Option.none())
    })
  )

  it.effect("a key's last use is updated only by a use at least a minute later", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const { key } = yield* secondKey()
      const lastUsed = Effect.map(identity.findKey(key.id), (found) => Option.getOrThrow(found).lastUsedAt)
      assert.isNull(yield* lastUsed)
      yield* identity.touchKeys([
        [key.id, 2_000_000_000_000],
        [freshId("key"), 5]
      ])
      for (const at of [1_999_999_999_999, 2_000_000_059_999]) {
        yield* identity.touchKeys([[key.id, at]])
        assert.strictEqual(yield* lastUsed, 2_000_000_000_000)
      }
      yield* identity.touchKeys([[key.id, 2_000_000_060_000]])
      assert.strictEqual(yield* lastUsed, 2_000_000_060_000)
      yield* identity.touchKeys([])
    })
  )
}

const changeCases = (it: StoreIt): void => {
  it.effect("every change to the rights of a key is announced", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const heard = new Set<string>()
      yield* Effect.forkScoped(Stream.runForEach(identity.changes, (id) => Effect.sync(() => heard.add(id))))
      const probe = yield* openAccount()
      const listening = Effect.andThen(
        identity.updateAccount(probe.id, { seller: false }),
        Effect.sync(() => heard.has(probe.id) || heard.has("*"))
      )
      yield* eventually("the listener hears", listening)
      const hears = (...ids: ReadonlyArray<string>) =>
        eventually(
          `one of ${ids.join(", ")} is announced`,
          Effect.sync(() => [...ids, "*"].some((id) => heard.has(id)))
        )
      const { account, key } = yield* secondKey()
      heard.clear()
      yield* identity.deactivateKey(key.id, account.id)
      yield* hears(key.id, account.id)
      const other = yield* secondKey()
      heard.clear()
      yield* identity.rotateKey(other.key.id, yield* apiKey({ accountId: other.account.id }), 0, null)
      yield* hears(other.key.id, other.account.id)
      heard.clear()
      yield* identity.updateAccount(account.id, { tier: "pro" })
      yield* hears(account.id)
      const stray = yield* unclaimed
      heard.clear()
      yield* identity.claimAgent(stray.code, account.id, defaultPolicy, null)
      yield* hears(stray.agent.id, stray.key.id)
      yield* eventually("announcements work", identity.live)
    })
  )
}

/** The contract of `IdentityStore`. */
export const identityStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: IdentityStore`, stores, (it) => {
    accountCases(it)
    agentCases(it)
    keyCases(it)
    changeCases(it)
    controlCases(it)
    erasureCases(it)
    quotaCases(it)
  })
