import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { freshWord } from "@agent-marketplace/testkit/fixtures/freshId"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { draftSoul, soulEvent } from "@agent-marketplace/testkit/fixtures/publishedSoul"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import type { Account } from "@agent-marketplace/core/identity/Account"
import { Database } from "../src/Database.ts"
import { PostgresStores } from "../src/PostgresStores.ts"
import { makeTurns } from "../src/Turns.ts"

describe("changes of one row", () => {
  /** A change that notes that it has started and ends when the test says so. */
  const change = () => {
    const end = Deferred.makeUnsafe<string, StoreUnavailable | string>()
    const state = { hasStarted: false }
    return {
      end,
      state,
      run: Effect.suspend(() => {
        state.hasStarted = true
        return Deferred.await(end)
      })
    }
  }

  it.live("run one after the other, while those of other rows run beside them", () =>
    Effect.gen(function* () {
      const inTurn = makeTurns()
      const [first, second, other] = [change(), change(), change()]
      const fibers = []
      for (const [key, { run }] of [
        ["a", first],
        ["a", second],
        ["b", other]
      ] as const)
        fibers.push(yield* Effect.forkChild(inTurn(key, run), { startImmediately: true }))
      assert.deepStrictEqual(
        [first.state.hasStarted, second.state.hasStarted, other.state.hasStarted],
        [true, false, true]
      )
      yield* Deferred.succeed(first.end, "first")
      yield* Deferred.succeed(second.end, "second")
      yield* Deferred.succeed(other.end, "other")
      assert.deepStrictEqual(yield* Fiber.joinAll(fibers), ["first", "second", "other"])
    })
  )

  it.live("an unavailable database fails all that wait, and those that come later try again", () =>
    Effect.gen(function* () {
      const inTurn = makeTurns()
      const [first, second, third, later] = [change(), change(), change(), change()]
      const fibers = []
      for (const { run } of [first, second, third])
        fibers.push(yield* Effect.forkChild(Effect.flip(inTurn("a", run)), { startImmediately: true }))
      const unavailable = new StoreUnavailable({ cause: "unavailable" })
      yield* Deferred.fail(first.end, unavailable)
      assert.deepStrictEqual(yield* Fiber.joinAll(fibers), [unavailable, unavailable, unavailable])
      assert.isFalse(second.state.hasStarted || third.state.hasStarted)
      yield* Deferred.succeed(later.end, "later")
      assert.strictEqual(yield* inTurn("a", later.run), "later")
    })
  )

  it.live("a change whose turn comes too late fails, and the next ones run", () =>
    Effect.gen(function* () {
      const inTurn = makeTurns(50)
      const [slow, late, next] = [change(), change(), change()]
      const one = yield* Effect.forkChild(inTurn("a", slow.run), { startImmediately: true })
      const two = yield* Effect.forkChild(Effect.flip(inTurn("a", late.run)), { startImmediately: true })
      yield* Effect.sleep("100 millis")
      yield* Deferred.succeed(slow.end, "slow")
      assert.strictEqual(yield* Fiber.join(one), "slow")
      assert.instanceOf(yield* Fiber.join(two), StoreUnavailable)
      assert.isFalse(late.state.hasStarted)
      yield* Deferred.succeed(next.end, "next")
      assert.strictEqual(yield* inTurn("a", next.run), "next")
    })
  )

  it.live("the next change runs after one fails or is interrupted", () =>
    Effect.gen(function* () {
      const inTurn = makeTurns()
      const [refused, givenUp, next] = [change(), change(), change()]
      const one = yield* Effect.forkChild(Effect.flip(inTurn("a", refused.run)), { startImmediately: true })
      const two = yield* Effect.forkChild(inTurn("a", givenUp.run), { startImmediately: true })
      const three = yield* Effect.forkChild(inTurn("a", next.run), { startImmediately: true })
      yield* Fiber.interrupt(two)
      const refusal = "refused"
      yield* Deferred.fail(refused.end, refusal)
      assert.strictEqual(yield* Fiber.join(one), refusal)
      yield* Deferred.succeed(next.end, "next")
      assert.strictEqual(yield* Fiber.join(three), "next")
      assert.isFalse(givenUp.state.hasStarted)
    })
  )
})

const config = Effect.map(
  Effect.promise(() => createDatabase()),
  (url) => ({ url: Redacted.make(url), writeConnections: 3 })
)

const stores = Layer.unwrap(
  Effect.map(config, (each) => Layer.provideMerge(PostgresStores.layer(each), Database.layer(each)))
).pipe(Layer.provide(NodeCrypto.layer))

describe("many creations by one author", () => {
  const publish = Effect.fnUntraced(function* (author: Account) {
    const souls = yield* SoulStore
    const base = freshWord()
    const soul = yield* draftSoul(author, { name: base })
    return yield* souls.insert(soul, { base, reserved: false }, (written) => ({
      soul: written,
      events: [soulEvent("soul.created", written)]
    }))
  })

  it.live("leave connections to other authors while the author's row is locked", () =>
    Effect.gen(function* () {
      const { sql, transaction } = yield* Database
      const [busy, other] = [yield* openAccount(), yield* openAccount()]
      const [isLocked, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const lock = yield* Effect.forkChild(
        transaction(
          Effect.gen(function* () {
            yield* sql.unsafe("SELECT FROM accounts WHERE id = $1 FOR UPDATE", [busy.id])
            yield* Deferred.succeed(isLocked, undefined)
            yield* Deferred.await(release)
          })
        )
      )
      yield* Deferred.await(isLocked)
      const waiting = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 8 }), () => publish(busy), { concurrency: "unbounded" }),
        { startImmediately: true }
      )
      yield* Effect.sleep("200 millis")
      assert.isDefined((yield* publish(other)).slug)
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(lock)
      assert.lengthOf(new Set((yield* Fiber.join(waiting)).map(({ id }) => id)), 8)
    }).pipe(Effect.provide(stores))
  )
})
