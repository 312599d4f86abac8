import { freePort } from "@agent-marketplace/http/server/freePort"
import { Effect } from "effect"
import { Redis } from "ioredis"
import { spawn, spawnSync } from "node:child_process"

/** Why no Redis can be started here; undefined where one can. */
export const noRedis: string | undefined =
  spawnSync("redis-server", ["--version"]).status === 0 ? undefined : "redis-server is not installed"

/** An empty Redis of its own that answers, and ends with the scope. */
export const startRedis = Effect.gen(function* () {
  const port = yield* freePort("127.0.0.1")
  const url = `redis://127.0.0.1:${port}`
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"], {
        stdio: "ignore"
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null }).on("error", () => {})),
    (redis) => Effect.sync(() => redis.disconnect())
  )
  yield* Effect.promise(() => client.ping())
  return {
    url,
    /** How many counters it keeps. */
    counters: Effect.promise(() => client.dbsize()),
    kill: Effect.sync(() => server.kill("SIGKILL"))
  }
})
