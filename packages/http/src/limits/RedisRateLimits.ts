import { Context, Effect, Layer, Redacted } from "effect"
import { makeFixedWindows } from "./MemoryRateLimits.ts"
import type { Standing, Use } from "./RateLimits.ts"
import { RateLimits } from "./RateLimits.ts"

/**
 * All uses of a request in one round trip: looked at first, counted only when no hard limit refuses. A counter is a hash of
 * `c` (count) and `r` (reset); it expires by itself, by Redis' own clock, a minute after its window's length.
 */
const script = `
local now = tonumber(ARGV[1])
local counts, resets, refused = {}, {}, false
for i = 1, #KEYS do
  local limit, window, soft = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), ARGV[3 * i + 1] == "1"
  local kept = redis.call("HMGET", KEYS[i], "c", "r")
  local count, reset = tonumber(kept[1] or "0"), tonumber(kept[2] or "0")
  if reset <= now or reset > now + window then count, reset = 0, now + window end
  counts[i], resets[i] = count, reset
  if count >= limit and not soft then refused = true end
end
local answer = {}
for i = 1, #KEYS do
  local limit, window = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local passed = counts[i] >= limit
  if not refused and not passed then
    counts[i] = counts[i] + 1
    redis.call("HSET", KEYS[i], "c", counts[i], "r", resets[i])
    redis.call("PEXPIRE", KEYS[i], window + 60000)
  end
  answer[3 * i - 2], answer[3 * i - 1], answer[3 * i] = counts[i], resets[i], passed and 1 or 0
end
return answer
`

/** What is used of a Redis client: one script, one round trip. */
export class RedisScripts extends Context.Service<
  RedisScripts,
  {
    readonly run: (
      script: string,
      keys: ReadonlyArray<string>,
      args: ReadonlyArray<string | number>
    ) => Promise<ReadonlyArray<number>>
  }
>()("@agent-marketplace/http/limits/RedisRateLimits/RedisScripts") {}

interface ScriptedClient {
  readonly marketLimits: (count: number, ...rest: ReadonlyArray<string | number>) => Promise<ReadonlyArray<number>>
}

/** Commands fail at once while there is no connection, so that a request never waits for a Redis that is away. */
const layerClient = (url: Redacted.Redacted) =>
  Layer.effect(
    RedisScripts,
    Effect.gen(function* () {
      const { Redis } = yield* Effect.promise(() => import("ioredis"))
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const redis = new Redis(Redacted.value(url), {
            enableOfflineQueue: false,
            maxRetriesPerRequest: 0,
            connectTimeout: 2000,
            commandTimeout: 500,
            retryStrategy: (times) => Math.min(times * 200, 5000),
            scripts: { marketLimits: { lua: script } }
          })
          // What went wrong is told once, by the service that falls back.
          redis.on("error", () => {})
          return redis
        }),
        (redis) => Effect.sync(() => redis.disconnect())
      )
      const scripted = client as unknown as ScriptedClient
      return RedisScripts.of({
        run: (_, keys, args) => scripted.marketLimits(keys.length, ...keys, ...args)
      })
    })
  )

const standings = (uses: ReadonlyArray<Use>, answer: ReadonlyArray<number>): ReadonlyArray<Standing> =>
  uses.map(({ limit }, i) => ({
    limit,
    remaining: Math.max(0, limit.limit - (answer[3 * i] ?? 0)),
    resetAt: answer[3 * i + 1] ?? 0,
    passed: answer[3 * i + 2] === 1
  }))

const layerScripts = Layer.effect(
  RateLimits,
  Effect.gen(function* () {
    const redis = yield* RedisScripts
    const inMemory = makeFixedWindows()
    let away = false
    const noteAway = Effect.suspend(() => {
      if (away) return Effect.void
      away = true
      return Effect.logWarning("Redis is away: this process counts rate limits by itself")
    })
    const noteBack = Effect.suspend(() => {
      if (!away) return Effect.void
      away = false
      return Effect.logInfo("Redis is back: rate limits are shared again")
    })
    return RateLimits.of({
      take: (uses, now) => {
        if (uses.length === 0) return Effect.succeed([])
        const keys = uses.map(({ limit, subject }) => `market:limit:${limit.name}:${subject}`)
        const args = uses.flatMap(({ limit }) => [limit.limit, limit.windowSeconds * 1000, limit.soft ? 1 : 0])
        return Effect.tryPromise(() => redis.run(script, keys, [Math.floor(now), ...args])).pipe(
          Effect.map((answer) => standings(uses, answer)),
          Effect.tap(noteBack),
          Effect.catch(() => Effect.map(noteAway, () => inMemory(uses, now)))
        )
      }
    })
  })
)

/** Counts that all server processes share; while Redis is away each process counts for itself (LIMIT-14, CONFIG-9). */
export const RedisRateLimits = {
  /** The driver is loaded only where this layer is built. */
  layer: (url: Redacted.Redacted) => Layer.provide(layerScripts, layerClient(url)),
  layerScripts
}
