import { eventually } from "@agent-marketplace/testkit/fixtures/eventually"
import { Effect, Fiber } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Context } from "../running/cli.ts"
import { cli, cliEffect, freshHome } from "../running/cli.ts"
import type { RunningMarket } from "../running/startMarket.ts"
import { startMarket } from "../running/startMarket.ts"

let market: RunningMarket
let env: Readonly<Record<string, string>>

const json = async (...args: ReadonlyArray<string>) => JSON.parse((await cli({ env }, ...args, "--json")).stdout)

/** Starts to listen on a free port; `address` is its URL. */
const listening = (context: Context, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { err, out, run } = cliEffect(context, ["webhooks", "listen", "--port", "0", ...args])
    const fiber = yield* Effect.forkChild(run)
    yield* eventually(
      "it listens",
      Effect.sync(() => err.length > 0)
    )
    const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(err.join(""))?.[0] ?? ""
    return { fiber, out, err, address }
  })

const forged = { "x-service-signature": "00", "x-service-timestamp": String(Date.now()) }

const post = (url: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(() => fetch(url, { method: "POST", body, headers }))

beforeAll(async () => {
  market = await startMarket()
  env = { HOME: freshHome(), MARKETPLACE_URL: market.baseUrl, MARKETPLACE_API_KEY: market.keys.buyer }
})

afterAll(() => market.stop())

describe("webhooks listen", () => {
  it("subscribes for as long as it runs, verifies events and prints each as one line of JSON (CLI-9)", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { err, fiber } = yield* listening({ env }, "--count", "2", "--json")
        const [subscription] = yield* Effect.promise(() => json("webhooks", "list"))
        assert.include(err.join(""), subscription.id)
        yield* Effect.promise(() => json("webhooks", "test", subscription.id))
        yield* Effect.promise(() => json("buy", "mail-sorter", "--yes"))
        const { code, stdout } = yield* Fiber.join(fiber)
        const events = stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).event)
        assert.deepStrictEqual([code, events], [0, ["webhook.test", "purchase.completed"]])
        assert.deepStrictEqual(yield* Effect.promise(() => json("webhooks", "list")), [])
      })
    ))

  it("also deletes its subscription if it is interrupted, and shows no secret", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { err, fiber, out } = yield* listening({ env, terminal: 100 }, "--event", "deposit.confirmed")
        const [subscription] = yield* Effect.promise(() => json("webhooks", "list"))
        assert.deepStrictEqual(subscription.events, ["deposit.confirmed"])
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* Effect.promise(() => json("webhooks", "list")), [])
        assert.notMatch(err.join("") + out.join(""), /whsec_\w/)
      })
    ))

  it("responds with 401 to unsigned requests and with 405 to other methods, and prints neither", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const secret = "a-secret-of-sixteen-or-more"
        const context = { env: { ...env, MARKETPLACE_WEBHOOK_SECRET: secret } }
        const { address, err, fiber, out } = yield* listening(context)
        assert.deepStrictEqual(yield* Effect.promise(() => json("webhooks", "list")), [])
        assert.strictEqual((yield* post(address, "{}")).status, 401)
        assert.strictEqual((yield* post(address, "{}", forged)).status, 401)
        assert.strictEqual((yield* post(address, "x".repeat(1_100_000), forged)).status, 400)
        assert.strictEqual((yield* Effect.promise(() => fetch(address))).status, 405)
        yield* eventually(
          "all are reported",
          Effect.sync(() => err.join("").split("refused with").length === 5)
        )
        assert.deepStrictEqual(out, [])
        assert.notInclude(err.join(""), secret)
        yield* Fiber.interrupt(fiber)
      })
    ))

  it("names the port that is in use", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { address, fiber } = yield* listening({ env })
        const port = new URL(address).port
        const second = yield* Effect.promise(() => cli({ env }, "webhooks", "listen", "--port", port))
        assert.strictEqual(second.code, 1)
        assert.match(second.stderr, /cannot listen on 127\.0\.0\.1:\d+.*\nChoose another port/)
        yield* Fiber.interrupt(fiber)
      })
    ))
})
