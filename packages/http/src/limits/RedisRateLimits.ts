import { Context, Effect, Layer, Redacted } from "effect"
import type { CommandParser } from "redis"
import { makeFixedWindows } from "./MemoryRateLimits.ts"
import type { Standing, Use } from "./RateLimits.ts"
import { RateLimits } from "./RateLimits.ts"

/**
 * All uses of a request in one round trip: read first, counted only when no hard limit refuses. A counter is a hash of `c` (count) and
 * `r` (reset). It expires by the clock of Redis, a minute after the length of its window.
 */
const script = `
local now = tonumber(ARGV[1])
local counts, resets, refused = {}, {}, false
for i = 1, #KEYS do
  local limit, window, soft = tonumber(ARGV[4 * i - 2]), tonumber(ARGV[4 * i - 1]), ARGV[4 * i] == "1"
  local kept = redis.call("HMGET", KEYS[i], "c", "r")
  local count, reset = tonumber(kept[1] or "0"), tonumber(kept[2] or "0")
  if reset <= now or reset > now + window then count, reset = 0, now + window end
  counts[i], resets[i] = count, reset
  if count >= limit and not soft and ARGV[4 * i + 1] ~= "1" then refused = true end
end
local answer = {}
for i = 1, #KEYS do
  local limit, window, back = tonumber(ARGV[4 * i - 2]), tonumber(ARGV[4 * i - 1]), ARGV[4 * i + 1] == "1"
  local passed = counts[i] >= limit and not back
  if back or (not refused and not passed) then
    counts[i] = math.max(0, counts[i] + (back and -1 or 1))
    redis.call("HSET", KEYS[i], "c", counts[i], "r", resets[i])
    redis.call("PEXPIRE", KEYS[i], window + 60000)
  end
  answer[3 * i - 2], answer[3 * i - 1], answer[3 * i] = counts[i], resets[i], passed and 1 or 0
end
return answer
`

/** The script as a command of the client, which sends its digest, and its text only to a Redis that does not have it yet. */
const marketLimits = {
  SCRIPT: script,
  parseCommand: (parser: CommandParser, keys: ReadonlyArray<string>, args: ReadonlyArray<string | number>): void => {
    parser.push(String(keys.length))
    parser.pushKeys([...keys])
    parser.push(...args.map(String))
  },
  transformReply: (reply: unknown): ReadonlyArray<number> => reply as ReadonlyArray<number>
}

/** The part of a Redis client that is used: one script, one round trip. */
export class RedisScripts extends Context.Service<
  RedisScripts,
  {
    /** Runs the script above. */
    readonly run: (keys: ReadonlyArray<string>, args: ReadonlyArray<string | number>) => Promise<ReadonlyArray<number>>
  }
>()("@agent-marketplace/http/limits/RedisRateLimits/RedisScripts") {}

/** How long a call may take, in milliseconds. Then the connection is replaced, so that a late reply is never read as the reply to a later call. */
const callTime = 250

/** How long opening a connection may take, until Redis has replied to the handshake, in milliseconds. */
const connectTime = 1000
const openTime = 2000

/** The pauses between attempts to connect grow up to this one, in milliseconds. They start again from 200 ms once Redis has replied to a call. */
const longestPause = 5000

/** Calls fail immediately while there is no connection, so that only calls on a connection that has just stopped replying wait for the time limit. */
const layerClient = (url: Redacted.Redacted) =>
  Layer.effect(
    RedisScripts,
    Effect.gen(function* () {
      // A bundle has the exports of a CommonJS module only as the default export.
      const { createClient, defineScript } = (yield* Effect.promise(() => import("redis"))).default
      let attempts = 0
      let isClosed = false
      let pause: NodeJS.Timeout | undefined

      const open = () => {
        const redis = createClient({
          url: Redacted.value(url),
          // Understood by every version of Redis, and by services compatible with it.
          RESP: 2,
          disableOfflineQueue: true,
          // The client would wait without limit for the reply to its handshake.
          socket: { connectTimeout: connectTime, reconnectStrategy: false },
          scripts: { marketLimits: defineScript(marketLimits) }
        })
        let isOver = false
        const end = () => {
          isOver = true
          clearTimeout(opening)
          redis.destroy()
        }
        const replace = () => {
          if (isOver) return
          end()
          if (!isClosed) pause = setTimeout(() => (current = open()), Math.min(++attempts * 200, longestPause)).unref()
        }
        const opening = setTimeout(replace, openTime).unref()
        // The service that falls back to memory logs the outage.
        redis.on("error", replace)
        redis.on("ready", () => (isOver ? redis.destroy() : clearTimeout(opening)))
        redis.connect().catch(replace)
        const run = async (keys: ReadonlyArray<string>, args: ReadonlyArray<string | number>) => {
          let isAnswered = false
          let limit: NodeJS.Timeout | undefined
          // The driver sends the command in an immediate, so the time starts there. When it ends, a reply may wait unread because the event loop was blocked: the second
          // immediate runs after it was read.
          const started = setImmediate(() => {
            limit = setTimeout(() => setImmediate(() => isAnswered || replace()), callTime).unref()
          })
          try {
            const answer = await redis.marketLimits(keys, args)
            attempts = 0
            return answer
          } finally {
            isAnswered = true
            clearImmediate(started)
            clearTimeout(limit)
          }
        }
        return { run, end }
      }

      let current = open()
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          isClosed = true
          clearTimeout(pause)
          current.end()
        })
      )
      return RedisScripts.of({ run: (keys, args) => current.run(keys, args) })
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
    let unavailable = false
    const logOutage = Effect.suspend(() => {
      if (unavailable) return Effect.void
      unavailable = true
      return Effect.logWarning("Redis is unavailable: this process counts rate limits by itself")
    })
    const logRecovery = Effect.suspend(() => {
      if (!unavailable) return Effect.void
      unavailable = false
      return Effect.logInfo("Redis is available again: rate limits are shared")
    })
    return RateLimits.of({
      take: (uses, now) => {
        if (uses.length === 0) return Effect.succeed([])
        const keys = uses.map(({ limit, subject }) => `market:limit:${limit.name}:${subject}`)
        const args = uses.flatMap(({ release, limit }) => [
          limit.limit,
          limit.windowSeconds * 1000,
          limit.soft ? 1 : 0,
          release === true ? 1 : 0
        ])
        return Effect.tryPromise(() => redis.run(keys, [Math.floor(now), ...args])).pipe(
          Effect.map((answer) => standings(uses, answer)),
          Effect.tap(logRecovery),
          Effect.catch(() => Effect.map(logOutage, () => inMemory(uses, now)))
        )
      }
    })
  })
)

/** Counts that all server processes share. While Redis is unavailable or silent each process counts for itself (LIMIT-14, CONFIG-9). */
export const RedisRateLimits = {
  /** The driver is loaded only where this layer is built. */
  layer: (url: Redacted.Redacted) => Layer.provide(layerScripts, layerClient(url)),
  layerScripts
}
