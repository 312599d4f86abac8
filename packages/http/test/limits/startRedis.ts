import { freePort } from "@agent-marketplace/http/server/freePort"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { createClient } from "redis"

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
    Effect.promise(() =>
      createClient({ url, socket: { reconnectStrategy: () => 20 } })
        .on("error", () => {})
        .connect()
    ),
    (redis) => Effect.sync(() => redis.destroy())
  )
  return {
    url,
    /** How many counters it keeps. */
    counters: Effect.promise(() => client.dbSize()),
    kill: Effect.sync(() => server.kill("SIGKILL")),
    /** Stops it without closing its connections, as a machine that hangs does. */
    freeze: Effect.sync(() => server.kill("SIGSTOP")),
    resume: Effect.sync(() => server.kill("SIGCONT"))
  }
})
