import { Chain } from "@agent-marketplace/core/chain/Chain"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { publishedSoul } from "@agent-marketplace/testkit/fixtures/publishedSoul"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { advisoryLockClasses, advisoryLocks } from "../src/AdvisoryLocks.ts"
import { Database } from "../src/Database.ts"
import { migrations } from "../src/migrations/migrations.ts"
import { PostgresStores } from "../src/PostgresStores.ts"

const config = { url: Redacted.make(await createDatabase()) }
const stores = Layer.provideMerge(PostgresStores.layer(config), Database.layer(config)).pipe(
  Layer.provide(NodeCrypto.layer)
)

/** Holds the lock in a separate transaction while the work is done. */
const holding = <A, E, R>(lock: number, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { sql, transaction } = yield* Database
    const [held, done] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
    const holder = yield* Effect.forkChild(
      transaction(
        Effect.gen(function* () {
          yield* sql.unsafe(`SELECT pg_advisory_xact_lock(${lock})`)
          Deferred.doneUnsafe(held, Effect.void)
          yield* Deferred.await(done)
        })
      )
    )
    yield* Deferred.await(held)
    const result = yield* Effect.ensuring(
      work,
      Effect.sync(() => Deferred.doneUnsafe(done, Effect.void))
    )
    yield* Fiber.join(holder)
    return result
  })

describe("advisory locks", () => {
  it("have distinct keys", () => {
    const keys = [...Object.values(advisoryLocks), ...Object.values(advisoryLockClasses)]
    assert.strictEqual(new Set(keys).size, keys.length)
  })

  it("are all in the list: no statement uses another number", () => {
    const sources = ["migrate.ts", "Notifications.ts", "chain/PostgresSimulatedChain.ts", "webhooks/dispatchEvents.ts"]
    const texts = sources.map((path) => readFileSync(new URL(`../src/${path}`, import.meta.url), "utf8"))
    const named = [...texts, ...Object.values(migrations).flat()].flatMap((text) =>
      Array.from(text.matchAll(/pg_advisory\w*\(\s*([\d_]+)/g), ([, number]) => Number(number?.replaceAll("_", "")))
    )
    const listed: ReadonlyArray<number> = [...Object.values(advisoryLocks), ...Object.values(advisoryLockClasses)]
    assert.deepStrictEqual(
      named.filter((number) => !listed.includes(number)),
      []
    )
  })

  it.live("the simulated chain and the fan-out of events do not wait for each other", () =>
    Effect.gen(function* () {
      const chain = yield* Chain
      const webhooks = yield* WebhookStore
      yield* publishedSoul(yield* openAccount())
      // Each gives up after five seconds, well below the time limit of the other's transaction.
      const head = yield* holding(advisoryLocks.eventFanOut, Effect.timeout(chain.finalHead, "3 seconds"))
      assert.isAbove(head.block, 0)
      const taken = yield* holding(
        advisoryLocks.simulatedChain,
        Effect.timeout(
          webhooks.dispatch(10, () => []),
          "3 seconds"
        )
      )
      assert.isAbove(taken, 0)
    }).pipe(Effect.provide(stores))
  )
})
