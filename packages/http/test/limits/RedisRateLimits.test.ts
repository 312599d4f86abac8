import { MemoryRateLimits } from "@agent-marketplace/http/limits/MemoryRateLimits"
import type { Limit } from "@agent-marketplace/http/limits/RateLimits"
import { RateLimits } from "@agent-marketplace/http/limits/RateLimits"
import { RedisRateLimits, RedisScripts } from "@agent-marketplace/http/limits/RedisRateLimits"
import { assert, describe, it } from "@effect/vitest"
import { freshText } from "@agent-marketplace/testkit/fixtures/freshId"
import { Context, Effect, Exit, Fiber, Layer, Redacted, Schedule, Scope } from "effect"
import { readFileSync } from "node:fs"
import { createServer } from "node:net"
import { noRedis, startRedis } from "./startRedis.ts"
import { startScriptServer } from "./startScriptServer.ts"

const hourly: Limit = { name: "tier", limit: 3, windowSeconds: 3600, soft: false }
const minutely: Limit = { name: "soul-list", limit: 2, windowSeconds: 60, soft: false }
const soft: Limit = { name: "activity", limit: 1, windowSeconds: 60, soft: true }
const now = 1_800_000_000_000

/** The effect of the script, without a server: hashes of count and reset. */
const makeFakeRedis = () => {
  const store = new Map<string, { count: number; reset: number }>()
  const state = { away: false, calls: 0 }
  const run = async (keys: ReadonlyArray<string>, args: ReadonlyArray<string | number>) => {
    state.calls++
    if (state.away) throw new Error("Stream isn't writeable")
    const at = Number(args[0])
    const windows = keys.map((key, i) => {
      const [limit = 0, window = 0, isSoft = 0, back = 0] = args.slice(1 + 4 * i, 5 + 4 * i).map(Number)
      const kept = store.get(key)
      const live = kept !== undefined && kept.reset > at ? kept : { count: 0, reset: at + window }
      return { key, limit, soft: isSoft === 1, live, back: back === 1, passed: back !== 1 && live.count >= limit }
    })
    const refused = windows.some(({ passed, soft }) => passed && !soft)
    return windows.flatMap(({ back, key, live, passed }) => {
      const counted = !refused && !passed ? live.count + 1 : live.count
      const count = back ? Math.max(0, live.count - 1) : counted
      store.set(key, { count, reset: live.reset })
      return [count, live.reset, passed ? 1 : 0]
    })
  }
  return { run, state }
}

const overFake = (fake: ReturnType<typeof makeFakeRedis>) =>
  RedisRateLimits.layerScripts.pipe(Layer.provide(Layer.succeed(RedisScripts, { run: fake.run })))

const guarantees = (name: string, layer: () => Layer.Layer<RateLimits>) =>
  describe(name, () => {
    const effect = (title: string, test: Effect.Effect<void, never, RateLimits>) =>
      it.live(title, () => Effect.provide(test, layer()))

    effect(
      "grants exactly the limit in a window, which opens with the first request",
      Effect.gen(function* () {
        const { take } = yield* RateLimits
        const passed: Array<boolean> = []
        for (let i = 0; i < 4; i++) {
          const [standing] = yield* take([{ limit: minutely, subject: "a" }], now + i)
          assert.strictEqual(standing?.resetAt, now + 60_000)
          passed.push(standing?.passed === true)
        }
        assert.deepStrictEqual(passed, [false, false, true, true])
        const [later] = yield* take([{ limit: minutely, subject: "a" }], now + 60_000)
        assert.deepStrictEqual([later?.passed, later?.remaining], [false, 1])
      })
    )
    effect(
      "subjects and limits never share a counter",
      Effect.gen(function* () {
        const { take } = yield* RateLimits
        yield* take([{ limit: minutely, subject: "a" }], now)
        const [other] = yield* take([{ limit: minutely, subject: "b" }], now)
        const [hour] = yield* take([{ limit: hourly, subject: "a" }], now)
        assert.deepStrictEqual([other?.remaining, hour?.remaining], [1, 2])
      })
    )
    effect(
      "a request that one limit refuses counts against none",
      Effect.gen(function* () {
        const { take } = yield* RateLimits
        const both = [
          { limit: minutely, subject: "k" },
          { limit: hourly, subject: "acc" }
        ]
        for (let i = 0; i < 5; i++) yield* take(both, now)
        const [hour] = yield* take([{ limit: hourly, subject: "acc" }], now)
        assert.deepStrictEqual([hour?.passed, hour?.remaining], [false, 0])
      })
    )
    effect(
      "a soft limit is reported but refuses nothing",
      Effect.gen(function* () {
        const { take } = yield* RateLimits
        const uses = [
          { limit: soft, subject: "ip" },
          { limit: hourly, subject: "acc" }
        ]
        yield* take(uses, now)
        const [feed, hour] = yield* take(uses, now)
        assert.deepStrictEqual([feed?.passed, feed?.remaining, hour?.remaining], [true, 0, 1])
      })
    )
    effect(
      "a released use is available again, and no more than was counted is released",
      Effect.gen(function* () {
        const { take } = yield* RateLimits
        const use = { limit: minutely, subject: "g" }
        for (let i = 0; i < 3; i++) yield* take([use], now)
        const [back] = yield* take([{ ...use, release: true }], now)
        assert.deepStrictEqual([back?.passed, back?.remaining], [false, 1])
        for (let i = 0; i < 5; i++) yield* take([{ ...use, release: true }], now)
        const [fresh] = yield* take([use], now)
        assert.deepStrictEqual([fresh?.passed, fresh?.remaining], [false, 1])
      })
    )
    effect(
      "without uses there are no results",
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* (yield* RateLimits).take([], now), [])
      })
    )
  })

guarantees("counters in memory", () => MemoryRateLimits.layer)
guarantees("counters through the Redis script's answers", () => overFake(makeFakeRedis()))

/** Counters in that Redis, which the process has connected to. */
const connected = (redis: Effect.Success<typeof startRedis>) =>
  Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const counted = Effect.andThen(limits.take([{ limit: hourly, subject: freshText() }], now), redis.counters)
      const before = yield* redis.counters
      yield* Effect.repeat(counted, { until: (counters) => counters > before, schedule: Schedule.spaced("5 millis") })
      return limits
    })
  ).pipe(Layer.provide(RedisRateLimits.layer(Redacted.make(redis.url))))

const overRedis = Layer.unwrap(Effect.map(startRedis, connected))

if (noRedis !== undefined) process.stderr.write(`Rate limits are not tested on a real Redis: ${noRedis}\n`)

describe.skipIf(noRedis !== undefined)("a real Redis", () => {
  guarantees("counters in it", () => overRedis)

  it.live("is shared by all processes, and each counts for itself when it is killed (CONFIG-9, LIMIT-14)", () =>
    Effect.gen(function* () {
      const redis = yield* startRedis
      const joining = Effect.map(Layer.build(Layer.fresh(connected(redis))), Context.get(RateLimits))
      const [one, other] = [yield* joining, yield* joining]
      const left = ({ take }: typeof one) =>
        Effect.map(take([{ limit: hourly, subject: "a" }], now), ([standing]) => standing?.remaining)
      assert.deepStrictEqual([yield* left(one), yield* left(other), yield* left(one)], [2, 1, 0])
      yield* redis.kill
      assert.deepStrictEqual([yield* left(one), yield* left(other)], [2, 2])
    }).pipe(Effect.scoped)
  )

  it.live("that is frozen delays a request once, and is shared again as soon as it continues (LIMIT-14)", () =>
    Effect.gen(function* () {
      const redis = yield* startRedis
      const joining = Effect.map(Layer.build(Layer.fresh(connected(redis))), Context.get(RateLimits))
      const [one, other] = [yield* joining, yield* joining]
      const left = ({ take }: typeof one, subject: string) =>
        Effect.map(take([{ limit: hourly, subject }], now), ([standing]) => standing?.remaining)
      yield* redis.freeze
      // All at once: none waits for the time limit of another one.
      const first = yield* Effect.forEach([one, one, one, other, other], (process) => left(process, "a"), {
        concurrency: "unbounded"
      }).pipe(Effect.timeout("2 seconds"))
      assert.deepStrictEqual(first, [2, 1, 0, 2, 1])
      yield* Effect.forEach(Array.from({ length: 200 }).keys(), (i) => left(one, `b${i}`)).pipe(
        Effect.timeout("1 second")
      )
      // Longer than the first attempts to connect again.
      yield* Effect.sleep("3 seconds")
      yield* redis.resume
      const sharing = Effect.gen(function* () {
        const subject = freshText()
        return (yield* left(one, subject)) === 2 && (yield* left(other, subject)) === 1
      })
      yield* Effect.repeat(sharing, { until: (isShared) => isShared, schedule: Schedule.spaced("50 millis") })
    }).pipe(Effect.scoped, Effect.timeout("60 seconds"))
  )
})

describe("counters in Redis", () => {
  it.effect("one round trip for each request, however many limits", () => {
    const fake = makeFakeRedis()
    return Effect.gen(function* () {
      const { take } = yield* RateLimits
      yield* take(
        [
          { limit: minutely, subject: "a" },
          { limit: hourly, subject: "a" }
        ],
        now
      )
      assert.strictEqual(fake.state.calls, 1)
    }).pipe(Effect.provide(overFake(fake)))
  })

  it.effect("while Redis is unavailable this process counts alone, and shares again after its recovery", () => {
    const fake = makeFakeRedis()
    return Effect.gen(function* () {
      const { take } = yield* RateLimits
      const remaining = Effect.map(take([{ limit: hourly, subject: "a" }], now), ([standing]) => standing?.remaining)
      assert.strictEqual(yield* remaining, 2)
      fake.state.away = true
      assert.strictEqual(yield* remaining, 2)
      assert.strictEqual(yield* remaining, 1)
      fake.state.away = false
      assert.strictEqual(yield* remaining, 1)
    }).pipe(Effect.provide(overFake(fake)))
  })

  it.live("the client sends the script's text once, then its digest (LIMIT-14)", () =>
    Effect.gen(function* () {
      const fake = makeFakeRedis()
      const server = yield* startScriptServer(fake.run)
      const { take } = Context.get(yield* Layer.build(RedisRateLimits.layer(Redacted.make(server.url))), RateLimits)
      const counted = take([{ limit: hourly, subject: "a" }], now)
      // Until the client has connected, the process counts for itself.
      yield* Effect.repeat(counted, { until: () => fake.state.calls > 0, schedule: Schedule.spaced("5 millis") })
      const standings = yield* take(
        [
          { limit: hourly, subject: "a" },
          { limit: minutely, subject: "b" }
        ],
        now
      )
      assert.deepStrictEqual(
        standings.map(({ passed, remaining, resetAt }) => [passed, remaining, resetAt - now]),
        [
          [false, 1, 3_600_000],
          [false, 1, 60_000]
        ]
      )
      assert.deepStrictEqual(server.counted, { evals: 1, digests: 2 })
    }).pipe(Effect.scoped)
  )

  it.live(
    "a reply after the time limit is not the reply to a later request, and the end of the process does not wait for it",
    () =>
      Effect.gen(function* () {
        const fake = makeFakeRedis()
        let [isSilent, silenced] = [false, 0]
        const late: Array<() => void> = []
        const server = yield* startScriptServer(async (keys, args) => {
          if (isSilent) {
            silenced++
            await new Promise<void>((resolve) => late.push(resolve))
          }
          return fake.run(keys, args)
        })
        const scope = yield* Scope.make()
        const layer = RedisRateLimits.layer(Redacted.make(server.url))
        const { take } = Context.get(yield* Layer.buildWithScope(layer, scope), RateLimits)
        const left = (subject: string) =>
          Effect.map(take([{ limit: hourly, subject }], now), ([standing]) => standing?.remaining)
        const counted = left("warm")
        yield* Effect.repeat(counted, { until: () => fake.state.calls > 0, schedule: Schedule.spaced("5 millis") })
        assert.deepStrictEqual([yield* left("a"), yield* left("a")], [2, 1])
        isSilent = true
        // Counted by the process itself.
        assert.strictEqual(yield* left("a"), 2)
        assert.strictEqual(silenced, 1)
        isSilent = false
        for (const answer of late) answer()
        const calls = fake.state.calls
        const again = left(freshText())
        yield* Effect.repeat(again, {
          until: () => fake.state.calls > calls + 1,
          schedule: Schedule.spaced("5 millis")
        })
        // The late call was counted too.
        assert.deepStrictEqual([yield* left("b"), yield* left("b"), yield* left("a")], [2, 1, 0])
        isSilent = true
        const waiting = yield* Effect.forkChild(left("a"))
        yield* Effect.repeat(Effect.void, { until: () => silenced > 1, schedule: Schedule.spaced("1 millis") })
        yield* Scope.close(scope, Exit.void)
        yield* Fiber.join(waiting).pipe(Effect.timeout("200 millis"))
      }).pipe(Effect.scoped, Effect.timeout("60 seconds"))
  )

  it.live("a Redis that was never reachable does not delay requests", () =>
    Effect.gen(function* () {
      const port = yield* Effect.callback<number>((resume) => {
        const server = createServer().listen(0, "127.0.0.1", () => {
          const address = server.address()
          server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
        })
      })
      const limits = RedisRateLimits.layer(Redacted.make(`redis://127.0.0.1:${port}`))
      yield* Effect.gen(function* () {
        const { take } = yield* RateLimits
        for (let i = 0; i < 3; i++) {
          const [standing] = yield* take([{ limit: hourly, subject: "a" }], now)
          assert.strictEqual(standing?.remaining, 2 - i)
        }
      }).pipe(Effect.provide(limits), Effect.timeout("20 seconds"))
    })
  )
})

describe("the installed packages", () => {
  it("have one Redis client", () => {
    const lock = JSON.parse(readFileSync(new URL("../../../../package-lock.json", import.meta.url), "utf8")) as {
      readonly packages: Readonly<Record<string, unknown>>
    }
    const clients = Object.keys(lock.packages).filter((path) =>
      /(?:^|\/)node_modules\/(?:ioredis|redis|node-redis|iovalkey|@redis\/client|@upstash\/redis)$/.test(path)
    )
    assert.deepStrictEqual(clients.toSorted(), ["node_modules/@redis/client", "node_modules/redis"])
  })
})
