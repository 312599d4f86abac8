import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { apiKey } from "@agent-marketplace/testkit/fixtures/apiKey"
import { eventually } from "@agent-marketplace/testkit/fixtures/eventually"
import { freshId, freshText } from "@agent-marketplace/testkit/fixtures/freshId"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { publishedSoul } from "@agent-marketplace/testkit/fixtures/publishedSoul"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Redacted, Stream } from "effect"
import { Client } from "pg"
import { advisoryLockClasses } from "../../src/AdvisoryLocks.ts"
import { PostgresStores } from "../../src/PostgresStores.ts"

const url = await createDatabase()

/** A separate process: nothing is shared with another. */
const process = Effect.suspend(() =>
  Layer.build(Layer.fresh(PostgresStores.layer({ url: Redacted.make(url) }).pipe(Layer.provide(NodeCrypto.layer))))
)

/** The announcements that the process receives from now on. */
const receiving = Effect.fnUntraced(function* () {
  const identity = yield* IdentityStore
  const received = new Set<string>()
  yield* Effect.forkScoped(
    Stream.runForEach(identity.changes, (id) => Effect.sync(() => received.add(id))),
    { startImmediately: true }
  )
  yield* eventually("announcements are received", identity.live)
  return received
})

/** A process that listens, but acknowledges only when the test requests it. */
const lateListener = Effect.gen(function* () {
  const client = new Client({ connectionString: url })
  yield* Effect.acquireRelease(
    Effect.promise(() => client.connect()),
    () => Effect.promise(() => client.end())
  )
  const token = yield* Deferred.make<string>()
  client.on("notification", ({ payload = "" }) =>
    Deferred.doneUnsafe(token, Effect.succeed(payload.split(" ")[0] ?? ""))
  )
  yield* Effect.promise(() =>
    client.query(`LISTEN identity; SELECT pg_advisory_lock_shared(${advisoryLockClasses.listeners}, 7)`)
  )
  return {
    received: Deferred.await(token),
    acknowledge: (announced: string, as = 7) =>
      Effect.promise(() => client.query("SELECT pg_notify('acknowledged', $1)", [`${announced} ${as}`]))
  }
})

describe("announcements between processes (KEY-6)", () => {
  it.live("every process drops a deactivated key before the call returns", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* process, yield* process]
      const [here, there] = [
        yield* Effect.provideContext(receiving(), one),
        yield* Effect.provideContext(receiving(), two)
      ]
      yield* Effect.gen(function* () {
        const identity = yield* IdentityStore
        const account = yield* openAccount()
        const key = yield* apiKey({ accountId: account.id })
        yield* identity.createKey(key, null)
        assert.isTrue(yield* identity.deactivateKey(key.id, account.id))
        yield* Effect.yieldNow
        assert.isTrue(here.has(key.id))
        assert.isTrue(there.has(key.id))
      }).pipe(Effect.provideContext(one))
    }).pipe(Effect.scoped)
  )

  it.live("deactivating a key waits for a process that receives the announcement late", () =>
    Effect.gen(function* () {
      const context = yield* process
      const received = yield* Effect.provideContext(receiving(), context)
      const late = yield* lateListener
      yield* Effect.gen(function* () {
        const identity = yield* IdentityStore
        const account = yield* openAccount()
        const key = yield* apiKey({ accountId: account.id })
        yield* identity.createKey(key, null)
        const deactivating = yield* Effect.forkScoped(identity.deactivateKey(key.id, account.id))
        const token = yield* late.received
        yield* eventually(
          "this process receives it",
          Effect.sync(() => received.has(key.id))
        )
        assert.isUndefined(deactivating.pollUnsafe())
        // An acknowledgement from a process that is not a listener does not count.
        yield* late.acknowledge(token, 8)
        yield* Effect.sleep("100 millis")
        assert.isUndefined(deactivating.pollUnsafe())
        yield* late.acknowledge(token)
        assert.isTrue(yield* Fiber.join(deactivating))
      }).pipe(Effect.provideContext(context))
    }).pipe(Effect.scoped)
  )

  it.live("a process drops everything when the listening connection is lost, and again when it is back", () =>
    Effect.gen(function* () {
      const context = yield* process
      const received = yield* Effect.provideContext(receiving(), context)
      const identity = yield* Effect.provideContext(IdentityStore, context)
      received.clear()
      yield* Effect.promise(async () => {
        const client = new Client({ connectionString: url })
        await client.connect()
        await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = database
             WHERE datname = current_database() AND locktype = 'advisory' AND classid = ${advisoryLockClasses.listeners}`
        )
        await client.end()
      })
      yield* eventually(
        "everything is dropped",
        Effect.sync(() => received.has("*"))
      )
      yield* eventually("announcements are received again", identity.live)
      const account = yield* Effect.provideContext(openAccount(), context)
      yield* identity.updateAccount(account.id, { tier: "pro" })
      yield* eventually(
        "the change is received",
        Effect.sync(() => received.has(account.id))
      )
    }).pipe(Effect.scoped)
  )
})

describe("an account's new name", () => {
  it.live("reaches items that are created concurrently (SOUL-32)", () =>
    Effect.gen(function* () {
      const context = yield* process
      yield* Effect.gen(function* () {
        const [identity, souls, listings] = [yield* IdentityStore, yield* SoulStore, yield* ListingStore]
        const account = yield* openAccount()
        const name = `Renamed ${freshText()}`
        const ten = Array.from({ length: 10 }, (_, n) => n)
        const together = { concurrency: "unbounded" } as const
        const [newSouls, newListings] = yield* Effect.all(
          [
            Effect.forEach(ten, () => publishedSoul(account), together),
            Effect.forEach(ten, () => listingOnSale(account), together),
            Effect.delay(identity.updateAccount(account.id, { name }), "5 millis")
          ],
          together
        )
        for (const { slug } of newSouls) {
          assert.strictEqual(Option.getOrThrow(yield* souls.findBySlug(slug)).author, name)
          assert.strictEqual(JSON.parse(Option.getOrThrow(yield* souls.detailJson(slug))).author, name)
        }
        for (const { slug } of newListings) {
          assert.strictEqual(Option.getOrThrow(yield* listings.detail(slug, null)).listing.creatorName, name)
          assert.strictEqual(JSON.parse(Option.getOrThrow(yield* listings.skillJson(slug))).creator.name, name)
        }
      }).pipe(Effect.provideContext(context))
    }).pipe(Effect.scoped)
  )
})

describe("a claim", () => {
  it.live("takes over the keys that the agent renews at the same moment (AGENT-2, KEY-8)", () =>
    Effect.gen(function* () {
      const context = yield* process
      yield* Effect.gen(function* () {
        const identity = yield* IdentityStore
        const clock = yield* MarketClock
        const owner = yield* openAccount()
        const agent = {
          id: freshId("agt"),
          name: "Stray",
          ownerId: null,
          createdAt: yield* clock.now,
          source: "api" as const,
          retiredAt: null,
          frozen: null
        }
        const key = yield* apiKey({ agentId: agent.id })
        const code = freshText()
        yield* identity.createAgent(agent, key, code)
        const next = yield* Effect.forEach(Array.from({ length: 10 }), () => apiKey({ agentId: agent.id }))
        yield* Effect.all(
          [
            ...next.map((renewed) => Effect.asVoid(identity.rotateKey(key.id, renewed, 4_000_000_000_000, null))),
            Effect.asVoid(identity.claimAgent(code, owner.id, defaultPolicy, null))
          ],
          { concurrency: "unbounded" }
        )
        for (const { hash } of [key, ...next]) {
          assert.strictEqual(Option.getOrThrow(yield* identity.findCaller(hash)).accountId, owner.id)
        }
      }).pipe(Effect.provideContext(context))
    }).pipe(Effect.scoped)
  )
})
