import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import type { Ran } from "../running/cli.ts"
import { cliEffect, freshHome } from "../running/cli.ts"

/** The response to one request for tokens; null closes the connection. */
type Reply = { readonly status: number; readonly body: object } | null

const refused = (error: string): Reply => ({ status: 400, body: { error, error_description: `why: ${error}` } })

const issued: Reply = {
  status: 200,
  body: { access_token: "amt_new", refresh_token: "amr_new", expires_in: 3600, token_type: "Bearer", scope: "read buy" }
}

/** A market that answers requests for tokens as listed, the last one again and again, and records the forms. */
const marketWith = (replies: ReadonlyArray<Reply>, device: object = {}) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const forms: Array<{ readonly path: string; readonly form: Readonly<Record<string, string>> }> = []
      let tokens = 0
      const server = createServer((request, response) => {
        let sent = ""
        request.on("data", (chunk: Buffer) => (sent += chunk.toString()))
        request.on("end", () => {
          const path = request.url ?? ""
          const answer = (status: number, body: object) =>
            response
              .writeHead(status, { "content-type": "application/json", connection: "close" })
              .end(JSON.stringify(body))
          if (path === "/api/v1/account") return answer(200, { success: true, data: { id: "usr_1", name: "Ada" } })
          forms.push({ path, form: Object.fromEntries(new URLSearchParams(sent)) })
          if (path === "/oauth/device_authorization")
            return answer(200, {
              device_code: "amd_secret",
              user_code: "WDJB-MJHT",
              verification_uri: "https://market.example/oauth/code",
              expires_in: 120,
              interval: 5,
              ...device
            })
          const reply = replies[Math.min(tokens++, replies.length - 1)]
          return reply === null || reply === undefined ? request.socket.destroy() : answer(reply.status, reply.body)
        })
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      return { server, forms, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` }
    }),
    ({ server }) => Effect.sync(() => void server.close())
  )

/** Logs in while the clock moves on by a second at a time. The times are those of the requests for tokens, in seconds. */
const login = Effect.fnUntraced(function* (replies: ReadonlyArray<Reply>, device: object = {}) {
  const { forms, url } = yield* marketWith(replies, device)
  const home = freshHome()
  const { run } = cliEffect({ env: { HOME: home } }, ["login", "--json", "--base-url", url])
  const fiber = yield* Effect.forkChild(run)
  const times: Array<number> = []
  while (fiber.pollUnsafe() === undefined) {
    yield* Effect.promise(() => setImmediate())
    const requested = forms.filter(({ path }) => path === "/oauth/token").length
    while (times.length < requested) times.push((yield* Clock.currentTimeMillis) / 1000)
    yield* TestClock.adjust("1 second")
  }
  const ran = yield* Fiber.join(fiber)
  const file = join(home, ".config/agent-marketplace/config.json")
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { markets: Record<string, object> }) : null
  return { ...ran, forms, times, stored: kept?.markets[url] }
}, Effect.scoped)

const codeOf = ({ stderr }: Ran): unknown => JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error.code

describe("a login with the browser (CLI-17)", () => {
  it.effect("shows the code and the page, waits for the decision, and stores the tokens", () =>
    Effect.gen(function* () {
      const ran = yield* login([refused("authorization_pending"), issued])
      assert.strictEqual(ran.code, 0, ran.stderr)
      assert.include(ran.stderr, "https://market.example/oauth/code")
      assert.include(ran.stderr, "WDJB-MJHT")
      assert.notInclude(ran.stdout + ran.stderr, "amd_secret")
      assert.notInclude(ran.stdout + ran.stderr, "amt_new")
      assert.deepInclude(ran.stored, { accessToken: "amt_new", refreshToken: "amr_new", scopes: ["read", "buy"] })
      const [first, second] = ran.forms
      assert.deepStrictEqual(first?.form, { client_id: "agent-marketplace-cli", scope: "read buy sell" })
      assert.deepStrictEqual(second?.form, {
        client_id: "agent-marketplace-cli",
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: "amd_secret"
      })
      const [one = 0, two = 0] = ran.times
      assert.isAtLeast(one, 5)
      assert.isAtLeast(two - one, 5)
    })
  )

  it.effect("waits five seconds longer after each slow_down, and longer while the market does not respond", () =>
    Effect.gen(function* () {
      const { code, times } = yield* login([refused("slow_down"), null, refused("authorization_pending"), issued])
      assert.strictEqual(code, 0)
      const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
      assert.isAtLeast(gaps[0] ?? 0, 10)
      assert.isAtLeast(gaps[1] ?? 0, 20)
    })
  )

  it.effect("ends with the reason if the person refuses, or nobody decides in time; nothing is stored", () =>
    Effect.gen(function* () {
      for (const [replies, code] of [
        [[refused("access_denied")], "ACCESS_DENIED"],
        [[refused("expired_token")], "LOGIN_EXPIRED"],
        [[refused("authorization_pending")], "LOGIN_EXPIRED"],
        [[refused("invalid_client")], "LOGIN_REFUSED"],
        [[{ status: 200, body: { access_token: "amt_alone" } }], "INVALID_RESPONSE"]
      ] as const) {
        const ran = yield* login(replies)
        assert.notStrictEqual(ran.code, 0)
        assert.strictEqual(codeOf(ran), code)
        assert.isUndefined(ran.stored)
      }
    })
  )

  it.effect("opens no address that is not a web page, and refuses an unknown scope", () =>
    Effect.gen(function* () {
      const ran = yield* login([issued], { verification_uri: "file:///etc/passwd" })
      assert.strictEqual(codeOf(ran), "INVALID_RESPONSE")
      const { run } = cliEffect({ env: { HOME: freshHome() } }, [
        "login",
        "--scope",
        "withdraw",
        "--base-url",
        "http://localhost:9"
      ])
      const wrong = yield* run
      assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
      assert.include(wrong.stderr, "--scope: must name some of: read buy sell")
    })
  )
})
