import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { createServer } from "node:http"
import { vi } from "vitest"
import type { Context } from "../running/cli.ts"
import { cliEffect } from "../running/cli.ts"

const item = (id: number) => ({
  id: `listing-${id}`,
  type: "listing",
  icon: "✨",
  message: `Ada listed Skill ${id}`,
  timestamp: `2025-01-15T10:3${id}:00.000Z`
})

/** A feed that has one more item at each request, and fails at the second one. */
const feed = Effect.acquireRelease(
  Effect.promise(async () => {
    const requests: Array<string | undefined> = []
    const server = createServer((request, response) => {
      requests.push(request.headers.authorization)
      if (requests.length >= 2 && requests.length <= 4) return void request.socket.destroy()
      const count = requests.length === 1 ? 1 : 2
      const activities = Array.from({ length: count }, (_, at) => item(count - at))
      const stats = { activeAgents: 1, tradesLast24h: 0, revenueLast24h: "0.00" }
      return void response
        .writeHead(200, { "content-type": "application/json", connection: "close" })
        .end(JSON.stringify({ activities, stats }))
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { server, requests, url: `http://127.0.0.1:${port}` }
  }),
  ({ server }) => Effect.sync(() => void server.close())
)

/** Requests the feed three times, the second time without success, and is then interrupted; returns the output. */
const output = (context: Context, ...args: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { requests, url } = yield* feed
      const { err, out, run } = cliEffect(context, ["activity", "--live", "--base-url", url, ...args])
      const until = (ready: () => boolean) => Effect.promise(() => vi.waitFor(() => assert.isTrue(ready()), 60_000))
      const fiber = yield* Effect.forkChild(run)
      yield* until(() => out.length === 1)
      yield* TestClock.adjust("14 seconds")
      assert.lengthOf(requests, 1)
      yield* TestClock.adjust("1 second")
      yield* until(() => err.length === 1)
      yield* TestClock.adjust("15 seconds")
      yield* until(() => out.length === 2)
      yield* Fiber.interrupt(fiber)
      return { requests, err: err.join(""), out }
    })
  )

describe("activity --live", () => {
  it.effect(
    "requests the feed every 15 seconds, waits while the market is unavailable, and prints new items, one line each (CLI-8)",
    () =>
      Effect.gen(function* () {
        const { requests, err, out } = yield* output({})
        assert.deepStrictEqual(out, [
          "2025-01-15 10:31\t✨\tAda listed Skill 1\t\n",
          "2025-01-15 10:32\t✨\tAda listed Skill 2\t\n"
        ])
        assert.match(err, /no response from .*; trying again in 15 seconds/)
        assert.deepStrictEqual(new Set(requests), new Set(["Bearer anonymous"]))
      })
  )

  it.effect("prints one JSON document per line with --json, also on a terminal", () =>
    Effect.gen(function* () {
      const { out } = yield* output({ terminal: 80 }, "--json")
      assert.deepStrictEqual(
        out.map((line) => JSON.parse(line).id),
        ["listing-1", "listing-2"]
      )
    })
  )

  it.effect("redraws the page on a terminal", () =>
    Effect.gen(function* () {
      const { out } = yield* output({ terminal: 80 })
      for (const page of out) assert.isTrue(page.startsWith("\u001B[H\u001B[2J"))
      assert.match(out[1] ?? "", /Skill 2[\s\S]*Skill 1[\s\S]*1 active now/)
    })
  )
})
