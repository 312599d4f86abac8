import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { apiKey } from "../fixtures/apiKey.ts"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { freshId, freshWord } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { onlyEvent, subjectEvents } from "../fixtures/subjectEvents.ts"

const firstPage = { page: 1, limit: 50 }

/** An operator's action on the given subject. */
const actionOn = (subject: string, action = "test.act"): Effect.Effect<ActionDraft, never, MarketClock> =>
  Effect.map(
    Effect.flatMap(MarketClock, (clock) => Effect.orDie(clock.now)),
    (at) => ({ id: freshId("act"), at, actor: "grace", action, subject, reason: "a test", requestId: "request-1" })
  )

const actionsOn = (subject: string) =>
  Effect.flatMap(ActionStore, (store) => Effect.map(store.list({ subject }, firstPage), ({ items }) => items))

const isAlive = Effect.fnUntraced(function* ({ hash }: { readonly hash: string }) {
  const identity = yield* IdentityStore
  return Option.isSome(yield* identity.findCaller(hash))
})

/** A key and its successors by rotation. */
const chain = Effect.fnUntraced(function* (length: number) {
  const identity = yield* IdentityStore
  const account = yield* openAccount()
  const first = yield* apiKey({ accountId: account.id })
  yield* identity.createKey(first, null)
  const keys = [first]
  let old = first
  for (let n = 1; n < length; n++) {
    const next = yield* apiKey({ accountId: account.id, rotatedFrom: old.id, familyId: first.id })
    assert.isTrue(yield* identity.rotateKey(old.id, next, 4_000_000_000_000, null))
    keys.push(next)
    old = next
  }
  return { account, keys, first, last: old }
})

const familyCases = (it: StoreIt): void => {
  it.effect("ends every key of the same family, and no other key (KEY-9, KEY-10)", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const { account, first, keys, last } = yield* chain(3)
      const [, middle] = keys
      assert.isDefined(middle)
      const other = yield* apiKey({ accountId: account.id })
      yield* identity.createKey(other, null)
      const stranger = yield* openAccount()
      assert.strictEqual(Option.getOrThrow(yield* identity.findKey(middle.id)).rotatedFrom, first.id)
      assert.isFalse(yield* identity.deactivateFamily(middle.id, stranger.id))
      assert.isTrue(yield* isAlive(last))
      assert.isTrue(yield* identity.deactivateFamily(middle.id, account.id))
      for (const key of keys) assert.isFalse(yield* isAlive(key))
      assert.isTrue(yield* isAlive(other))
      assert.isFalse(yield* identity.deactivateFamily(first.id, account.id))
      assert.isFalse(yield* identity.deactivateFamily(freshId("key"), account.id))
    })
  )

  it.effect("announces a due rotation once, only for keys without a successor (KEY-11, EVENT-10)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const { account, first: old, last: current } = yield* chain(2)
      const made = yield* clock.now
      while ((yield* identity.announceRotations(made, made, 100)) > 0);
      assert.deepStrictEqual(yield* subjectEvents(old.id), [])
      const event = yield* onlyEvent(current.id)
      assert.deepStrictEqual([event.type, event.accounts], ["key.rotation_due", [account.id]])
      assert.deepInclude(event.data, { keyId: current.id, prefix: current.prefix })
      const young = yield* apiKey({ accountId: account.id, createdAt: made + 1000 })
      yield* identity.createKey(young, null)
      assert.strictEqual(yield* identity.announceRotations(made, made, 100), 0)
    })
  )
}

const recoveryCases = (it: StoreIt): void => {
  it.effect("a recovery ends every key of the account and of its agents, except the new one (OPERATOR-10)", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const { account, keys } = yield* chain(2)
      const agent = yield* claimedAgent(account.id)
      const agents = yield* apiKey({ accountId: account.id, agentId: agent.id })
      yield* identity.createKey(agents, null)
      const hosts = yield* apiKey({ accountId: account.id, hash: `host:${freshWord()}` })
      yield* identity.createKey(hosts, null)
      const other = yield* chain(1)
      const key = yield* apiKey({ accountId: account.id })
      assert.isTrue(yield* identity.recover({ ...key, accountId: account.id }, yield* actionOn(account.id)))
      for (const ended of [...keys, agents]) assert.isFalse(yield* isAlive(ended))
      for (const alive of [key, hosts, ...other.keys]) assert.isTrue(yield* isAlive(alive))
      // The key of the account's creation, the chain's two and the agent's.
      const [action] = yield* actionsOn(account.id)
      assert.deepInclude(action, {
        actor: "grace",
        reason: "a test",
        before: { activeKeys: 4 },
        after: { activeKeys: 1, keyId: key.id }
      })
      const unknown = yield* apiKey({})
      const nobody = freshId("usr")
      assert.isFalse(yield* identity.recover({ ...unknown, accountId: nobody }, yield* actionOn(nobody)))
    })
  )

  it.effect("requests of a key that has ended in the meantime change nothing (OPERATOR-10)", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const { account, first: thief } = yield* chain(1)
      const waiting = yield* apiKey({ accountId: account.id })
      yield* identity.createKey(waiting, null)
      yield* identity.deactivateKey(thief.id, account.id)
      const next = yield* apiKey({ accountId: account.id })
      for (const attempt of [
        identity.createKey(next, thief.id),
        identity.rotateKey(waiting.id, next, 4_000_000_000_000, thief.id),
        identity.claimAgent("no code", account.id, defaultPolicy, thief.id)
      ]) {
        assert.strictEqual((yield* Effect.flip(Effect.asVoid(attempt)))._tag, "InvalidApiKey")
      }
      assert.isFalse(yield* isAlive(next))
    })
  )

  it.effect("no key that is rotated or created during a recovery survives it (OPERATOR-10)", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      for (let round = 0; round < 5; round++) {
        const { account, first: thief } = yield* chain(1)
        const ten = yield* Effect.forEach(Array.from({ length: 10 }), () => apiKey({ accountId: account.id }))
        const key = yield* apiKey({ accountId: account.id })
        const recovery = identity.recover({ ...key, accountId: account.id }, yield* actionOn(account.id))
        yield* Effect.all(
          [
            ...ten.map((next, i) =>
              Effect.ignore(
                i % 2 === 0
                  ? identity.rotateKey(thief.id, { ...next, rotatedFrom: thief.id }, 4_000_000_000_000, thief.id)
                  : Effect.as(identity.createKey(next, thief.id), true)
              )
            ),
            recovery
          ],
          { concurrency: "unbounded" }
        )
        for (const ended of [thief, ...ten]) assert.isFalse(yield* isAlive(ended))
        assert.isTrue(yield* isAlive(key))
      }
    })
  )

  it.effect("the operator ends any key once (OPERATOR-9)", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const { first: key } = yield* chain(1)
      assert.deepStrictEqual(yield* identity.endKey(key.id, yield* actionOn(key.id)), Option.some(true))
      assert.isFalse(yield* isAlive(key))
      assert.deepStrictEqual(yield* identity.endKey(key.id, yield* actionOn(key.id)), Option.some(false))
      assert.deepStrictEqual(yield* identity.endKey(freshId("key"), yield* actionOn("none")), Option.none())
      const logged = (yield* actionsOn(key.id)).map(({ after, before }) => [before, after])
      assert.deepStrictEqual(logged, [[{ status: "active" }, { status: "deactivated" }]])
    })
  )
}

const agentCases = (it: StoreIt): void => {
  it.effect("a claim sets the agent's policy in the same transaction (AGENT-3)", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const owner = yield* openAccount()
      const agent = {
        id: freshId("agt"),
        name: "Stray",
        ownerId: null,
        source: "api" as const,
        createdAt: yield* clock.now,
        retiredAt: null,
        frozen: null
      }
      const code = freshWord()
      yield* identity.createAgent(agent, null, code)
      const policy = { ...defaultPolicy, autoApprove: false }
      yield* identity.claimAgent(code, owner.id, policy, null)
      assert.deepStrictEqual(yield* approvals.policy(agent.id), Option.some(policy))
    })
  )

  it.effect("only the owner renames and retires an agent, and a retired one gets no key (AGENT-6, AGENT-7)", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const [owner, stranger] = [yield* openAccount(), yield* openAccount()]
      const agent = yield* claimedAgent(owner.id)
      const key = yield* apiKey({ accountId: owner.id, agentId: agent.id })
      yield* identity.createKey(key, null)
      assert.isTrue(Option.isNone(yield* identity.renameAgent(agent.id, stranger.id, "Mine")))
      const renamed = yield* identity.renameAgent(agent.id, owner.id, "Crab")
      assert.deepStrictEqual(renamed, Option.some({ ...agent, name: "Crab" }))
      assert.isTrue(Option.isNone(yield* identity.retireAgent(agent.id, stranger.id, 5_000)))
      assert.isTrue(yield* isAlive(key))
      const retired = yield* identity.retireAgent(agent.id, owner.id, 5_000)
      assert.deepStrictEqual(retired, Option.some({ ...agent, name: "Crab", retiredAt: 5_000 }))
      assert.isFalse(yield* isAlive(key))
      assert.deepStrictEqual(yield* identity.retireAgent(agent.id, owner.id, 9_000), retired)
      const another = yield* apiKey({ accountId: owner.id, agentId: agent.id })
      const refused = yield* Effect.flip(identity.createKey(another, null))
      assert.deepInclude(refused, { _tag: "Conflict", state: "retired" })
      assert.isFalse(yield* isAlive(another))
    })
  )

  it.effect(
    "callers of a frozen agent are marked as frozen, and its owner is notified once (AGENT-8, AGENT-11, EVENT-10)",
    () =>
      Effect.gen(function* () {
        const identity = yield* IdentityStore
        const owner = yield* openAccount()
        const agent = yield* claimedAgent(owner.id)
        const key = yield* apiKey({ accountId: owner.id, agentId: agent.id })
        yield* identity.createKey(key, null)
        const callers = Effect.map(identity.findCaller(key.hash), Option.getOrThrow)
        assert.deepInclude(yield* callers, { frozen: null, agentFrozen: null })
        assert.isTrue(yield* identity.setFrozen(agent.id, { since: 7_000, reason: "too eager" }))
        assert.isTrue(yield* identity.setFrozen(agent.id, { since: 9_000, reason: null }))
        assert.deepStrictEqual((yield* callers).agentFrozen, { since: 7_000, reason: "too eager" })
        assert.isTrue(yield* identity.setFrozen(agent.id, { since: 9_500, reason: "still too eager" }))
        assert.deepStrictEqual((yield* callers).agentFrozen, { since: 7_000, reason: "still too eager" })
        const registered = (yield* subjectEvents(agent.id)).filter(({ type }) => type === "agent.frozen")
        assert.deepStrictEqual(
          registered.map(({ accounts, data }) => [accounts, data["reason"], data["frozenAt"]]),
          [[[owner.id], "too eager", Timestamp.toIso(7_000)]]
        )
        assert.isTrue(yield* identity.setFrozen(agent.id, null))
        assert.deepInclude(yield* callers, { frozen: null, agentFrozen: null })
        assert.isFalse(yield* identity.setFrozen(freshId("agt"), null))
      })
  )
}

const freezeCases = (it: StoreIt): void => {
  it.effect("items of a frozen account disappear from lists and details, and reappear unchanged (OPERATOR-8)", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const listings = yield* ListingStore
      const souls = yield* SoulStore
      const word = freshWord()
      const account = yield* openAccount()
      const listing = yield* listingOnSale(account, { name: `Listing ${word}`, category: word })
      const soul = yield* publishedSoul(account, { category: word })
      const hidden = yield* publishedSoul(account, { category: word, visibility: "private" })
      const shop = Effect.gen(function* () {
        const filter = { limit: 10, offset: 0 }
        const shelf = { ...filter, categories: [word] }
        return {
          found: (yield* listings.list({ ...filter, search: word }, "listing", "all")).total,
          shelf: (yield* listings.list({ ...shelf, sortBy: "popular" }, "skill", "skill")).total,
          listed: JSON.parse((yield* listings.list({ ...shelf, sortBy: "rating" }, "skill", "skill")).json).length,
          skill: Option.isSome(yield* listings.skillJson(listing.id)),
          souls: (yield* souls.list(shelf)).total,
          soul: Option.isSome(yield* souls.detailJson(soul.slug))
        }
      })
      const open = { found: 1, shelf: 1, listed: 1, skill: true, souls: 1, soul: true }
      assert.deepStrictEqual(yield* shop, open)
      const freeze = { since: 7_000, reason: "stolen" }
      assert.isTrue(yield* identity.setFrozen(account.id, freeze, { action: yield* actionOn(account.id) }))
      assert.deepStrictEqual(yield* shop, { found: 0, shelf: 0, listed: 0, skill: false, souls: 0, soul: false })
      const kept = Option.getOrThrow(yield* souls.findBySlug(soul.slug))
      assert.deepInclude(kept, { visibility: "public", withheld: true })
      assert.isTrue(Option.getOrThrow(yield* listings.find(listing.id)).withheld)
      const own = yield* listings.list({ limit: 10, offset: 0, creatorId: account.id, own: true }, "listing", "all")
      assert.strictEqual(own.total, 1)
      assert.isTrue(yield* identity.setFrozen(account.id, null, { action: yield* actionOn(account.id) }))
      assert.deepStrictEqual(yield* shop, open)
      assert.deepInclude(Option.getOrThrow(yield* souls.findBySlug(hidden.slug)), {
        visibility: "private",
        withheld: false
      })
      const states = (yield* actionsOn(account.id)).map(({ after, before }) => [before, after])
      const frozen = { frozenAt: Timestamp.toIso(7_000), frozenReason: "stolen" }
      const free = { frozenAt: null, frozenReason: null }
      assert.deepStrictEqual(states, [
        [frozen, free],
        [free, frozen]
      ])
    })
  )

  it.effect("callers of a frozen account contain the time and reason (ACCOUNT-12)", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const { account, first } = yield* chain(1)
      yield* identity.setFrozen(account.id, { since: 7_000, reason: "stolen" })
      const caller = Option.getOrThrow(yield* identity.findCaller(first.hash))
      assert.deepStrictEqual(caller.frozen, { since: 7_000, reason: "stolen" })
      assert.deepStrictEqual(Option.getOrThrow(yield* identity.findAccount(account.id)).frozen, caller.frozen)
    })
  )

  it.effect("an operator's change of an account is logged with the changed fields (OPERATOR-14)", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const account = yield* openAccount({ tier: "free", seller: true })
      const patch = { tier: "pro", seller: true, hourlyLimit: 5 } as const
      yield* identity.updateAccount(account.id, patch, yield* actionOn(account.id))
      const [action] = yield* actionsOn(account.id)
      assert.deepStrictEqual(
        [action?.before, action?.after],
        [
          { tier: "free", hourlyLimit: null },
          { tier: "pro", hourlyLimit: 5 }
        ]
      )
    })
  )
}

/** Cases about stopping keys, agents and accounts. */
export const controlCases = (it: StoreIt): void => {
  familyCases(it)
  recoveryCases(it)
  agentCases(it)
  freezeCases(it)
}
