import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { Account } from "@agent-marketplace/core/identity/Account"
import { erasedAgentName, erasedKeyName, erasedName } from "@agent-marketplace/core/identity/Erasure"
import { agentFrozen, rotationDue } from "@agent-marketplace/core/identity/IdentityEvents"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { soulEvent } from "@agent-marketplace/core/souls/SoulRules"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { apiKey } from "@agent-marketplace/testkit/fixtures/apiKey"
import { claimedAgent } from "@agent-marketplace/testkit/fixtures/claimedAgent"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { eventually } from "@agent-marketplace/testkit/fixtures/eventually"
import { listingApproved, listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { market } from "@agent-marketplace/testkit/fixtures/market"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { publishedSoul } from "@agent-marketplace/testkit/fixtures/publishedSoul"
import { resultOf, settle } from "@agent-marketplace/testkit/fixtures/settle"
import { subjectEvents } from "@agent-marketplace/testkit/fixtures/subjectEvents"
import { dispatchedTo, subscribed } from "@agent-marketplace/testkit/webhooks/webhookFixtures"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option } from "effect"
import { Database } from "../../src/Database.ts"
import { appendEvents } from "../../src/events/appendEvents.ts"
import { testStores } from "../testStores.ts"

const waitingForLocks = `
  SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`

/**
 * Runs `first` in a transaction, starts `other`, and once that waits for a lock or has ended, runs `then` in the transaction and commits.
 * `meanwhile` runs outside of the transaction while `other` waits.
 */
const inTransactionDuring = Effect.fnUntraced(function* <E1, R1, A, E2, R2, E3, R3, E4 = never, R4 = never>(
  first: Effect.Effect<unknown, E1, R1>,
  other: Effect.Effect<A, E2, R2>,
  then: Effect.Effect<unknown, E3, R3>,
  meanwhile?: Effect.Effect<unknown, E4, R4>
) {
  const { sql, transaction } = yield* Database
  const locked = yield* Deferred.make<void>()
  const mayCommit = yield* Deferred.make<void>()
  const holder = yield* Effect.forkChild(
    transaction(
      Effect.gen(function* () {
        yield* first
        yield* Deferred.succeed(locked, undefined)
        yield* Deferred.await(mayCommit)
        yield* then
      })
    )
  )
  yield* Deferred.await(locked)
  let ended = false
  const waiting = yield* Effect.forkChild(
    Effect.ensuring(
      other,
      Effect.sync(() => (ended = true))
    )
  )
  const waits = Effect.map(sql.unsafe(waitingForLocks), (rows) => ended || rows.length > 0)
  yield* eventually("the other transaction waits for a lock", waits)
  if (meanwhile !== undefined) {
    assert.isFalse(ended)
    yield* meanwhile
    assert.isFalse(ended)
  }
  yield* Deferred.succeed(mayCommit, undefined)
  yield* Fiber.join(holder)
  return yield* Fiber.join(waiting)
})

const lock = Effect.fnUntraced(function* (table: string, id: string) {
  const { sql } = yield* Database
  yield* sql.unsafe(`SELECT id FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id])
})

const append = Effect.fnUntraced(function* (...events: ReadonlyArray<MarketEvent>) {
  const { sql } = yield* Database
  yield* appendEvents(sql, events)
})

const erase = Effect.fnUntraced(function* ({ id }: Account) {
  const clock = yield* MarketClock
  const identity = yield* IdentityStore
  return yield* identity.eraseAccount(id, yield* clock.now, null)
})

/** An account, each of its records that an event names, and the event, which a transaction appends while it has locked the record. */
const named = Effect.gen(function* () {
  const identity = yield* IdentityStore
  const account = yield* openAccount()
  const soul = yield* publishedSoul(account)
  const listing = yield* listingOnSale(account)
  const agent = yield* claimedAgent(account.id)
  const key = yield* apiKey({ accountId: account.id, name: account.name })
  yield* identity.createKey(key, null)
  const approved = listingApproved(listing)
  return {
    account,
    changes: [
      ["souls", "author", erasedName, soulEvent("soul.updated", soul, 5, null)],
      ["listings", "creator", erasedName, { ...approved, data: { ...approved.data, creator: account.name } }],
      ["agents", "name", erasedAgentName, agentFrozen({ ...agent, ownerId: account.id }, { since: 5, reason: null })],
      ["api_keys", "name", erasedKeyName, rotationDue(key, 5)]
    ] as ReadonlyArray<readonly [table: string, field: string, erased: string, event: MarketEvent]>
  }
})

layer(testStores, { excludeTestServices: true, timeout: "5 minutes" })("an erasure", (it) => {
  for (const index of [0, 1, 2, 3]) {
    const record = ["soul", "listing", "agent", "key"][index] ?? ""
    it.effect(`waits for a change of its ${record} and removes the name from its event (ACCOUNT-7)`, () =>
      Effect.gen(function* () {
        const { account, changes } = yield* named
        const [table, field, erased, event] = changes[index] ?? assert.fail("there is such a change")
        const appended = Effect.andThen(lock(table, event.subject), append(event))
        assert.isTrue(yield* inTransactionDuring(appended, erase(account), Effect.void))
        const last = (yield* subjectEvents(event.subject)).at(-1)
        assert.deepStrictEqual([last?.type, last?.data[field]], [event.type, erased])
      })
    )
  }

  it.effect("and a download that waits for it leave no name: the event has the author's present name (ACCOUNT-7)", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const souls = yield* SoulStore
      const soul = yield* publishedSoul(yield* openAccount())
      const reader = yield* openAccount()
      const download = souls.download(soul, reader.id, (current) => soulEvent("soul.downloaded", current, 5, null))
      const rename = sql.unsafe("UPDATE souls SET author = $2 WHERE id = $1", [soul.id, erasedName])
      assert.deepStrictEqual(yield* inTransactionDuring(rename, download, Effect.void), { counted: true })
      const event = (yield* subjectEvents(soul.id)).find(({ type }) => type === "soul.downloaded")
      assert.strictEqual(event?.data["author"], erasedName)
    })
  )

  it.effect("locks its subscriptions before their deliveries, as a recorded attempt does (ACCOUNT-8)", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const account = yield* openAccount()
      const hook = yield* subscribed(account, { events: ["soul.created"] })
      yield* publishedSoul(account)
      const [delivery] = yield* dispatchedTo(hook, 1)
      const both = Effect.andThen(
        lock("webhook_deliveries", delivery?.id ?? ""),
        sql.unsafe("INSERT INTO webhook_attempts (delivery_id, at, duration_ms) VALUES ($1, now(), 5)", [delivery?.id])
      )
      assert.isTrue(yield* inTransactionDuring(lock("webhooks", hook.id), erase(account), both))
      for (const table of ["webhook_attempts", "webhook_queue"]) {
        const left = yield* sql.unsafe(`SELECT FROM ${table} WHERE delivery_id = $1`, [delivery?.id])
        assert.lengthOf(left, 0, table)
      }
    })
  )

  it.effect("locks the deliveries of all accounts in the order of their ids (ACCOUNT-7)", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const account = yield* openAccount()
      const hook = yield* subscribed(yield* openAccount(), { events: ["soul.created"] })
      yield* publishedSoul(account, {}, { audience: "everyone" })
      yield* publishedSoul(account, {}, { audience: "everyone" })
      const ids = (yield* dispatchedTo(hook, 2)).map(({ id }) => id).toSorted()
      const [first = "", second = ""] = ids
      // An updated row is stored behind the others, where a scan of the table finds it last.
      yield* sql.unsafe("UPDATE webhook_deliveries SET tries = tries WHERE id = $1", [first])
      const last = lock("webhook_deliveries", second)
      assert.isTrue(yield* inTransactionDuring(lock("webhook_deliveries", first), erase(account), last))
    })
  )

  for (const table of ["souls", "listings", "webhook_deliveries"]) {
    it.effect(`keeps no settlement waiting while it rewrites ${table} (ACCOUNT-13)`, () =>
      Effect.gen(function* () {
        const account = yield* openAccount()
        const watching = yield* subscribed(yield* openAccount(), { events: ["soul.created"] })
        const soul = yield* publishedSoul(account, {}, { audience: "everyone" })
        const listing = yield* listingOnSale(account)
        const [delivery] = yield* dispatchedTo(watching, 1)
        const ids: Readonly<Record<string, string | undefined>> = {
          souls: soul.id,
          listings: listing.id,
          webhook_deliveries: delivery?.id
        }
        const { buyer, item } = yield* market()
        const sale = Effect.gen(function* () {
          resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
          // What remains to be rewritten is invisible: the account is as it was.
          const seen = yield* Effect.flatMap(SoulStore, (souls) => souls.findBySlug(soul.slug))
          assert.deepInclude(Option.getOrThrow(seen), { author: account.name, deleted: false })
        })
        const held = lock(table, ids[table] ?? "")
        assert.isTrue(yield* inTransactionDuring(held, erase(account), Effect.void, sale))
        assert.isTrue(yield* erase(account), "a second erasure changes nothing")
      })
    )
  }

  it.effect("that is interrupted changes nothing, and can be repeated (ACCOUNT-13)", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const identity = yield* IdentityStore
      const souls = yield* SoulStore
      const account = yield* openAccount()
      const [first, last] = [yield* publishedSoul(account), yield* publishedSoul(account)]
      // As after kill -9: the connection ends in the middle of the erasure.
      const cut = sql.unsafe(
        `SELECT pg_terminate_backend(pid) FROM (${waitingForLocks} AND query LIKE '%souls%') AS waiting`
      )
      const held = lock("souls", [first.id, last.id].toSorted()[1] ?? "")
      assert.isTrue(Exit.isFailure(yield* inTransactionDuring(held, Effect.exit(erase(account)), cut)))
      assert.strictEqual(Option.getOrThrow(yield* identity.findAccount(account.id)).name, account.name)
      for (const { slug } of [first, last]) {
        assert.deepInclude(Option.getOrThrow(yield* souls.findBySlug(slug)), { author: account.name, deleted: false })
      }
      assert.isTrue(yield* erase(account))
      for (const { slug } of [first, last]) {
        assert.deepInclude(Option.getOrThrow(yield* souls.findBySlug(slug)), { author: erasedName, deleted: true })
      }
    })
  )
})
