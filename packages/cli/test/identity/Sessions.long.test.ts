import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cli, freshHome } from "../running/cli.ts"
import type { RunningMarket } from "../running/startMarket.ts"
import { startMarket } from "../running/startMarket.ts"

let market: RunningMarket

beforeAll(async () => {
  market = await startMarket()
})

afterAll(() => market.stop())

const asBuyer = (...args: ReadonlyArray<string>) =>
  cli({ env: { HOME: freshHome(), MARKETPLACE_URL: market.baseUrl, MARKETPLACE_API_KEY: market.keys.buyer } }, ...args)

describe("console and sessions", () => {
  it("prints a link that signs in once, and nothing else where there is no terminal (CLI-15)", async () => {
    const { code, stderr, stdout } = await asBuyer("console")
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(stdout, /^http:\/\/\S+\/sign-in#aml_[A-Za-z0-9_-]{43}\n$/)
    const start = () =>
      fetch(`${market.baseUrl}/api/v1/sessions`, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "Test browser" },
        body: JSON.stringify({ link: stdout.trim() })
      })
    assert.deepStrictEqual([(await start()).status, (await start()).status], [201, 401])
    const [session] = JSON.parse((await asBuyer("sessions", "list", "--json")).stdout)
    assert.deepInclude(session, { method: "link", userAgent: "Test browser", current: false })
    assert.include((await asBuyer("sessions", "list")).stdout, "Test browser")
    const ended = await asBuyer("sessions", "end", session.id)
    assert.deepStrictEqual([ended.code, ended.stdout], [0, `${session.id} is signed out.\n`])
    assert.deepStrictEqual(JSON.parse((await asBuyer("sessions", "list", "--json")).stdout), [])
  })
})

describe("signup", () => {
  it("creates an account, stores its key as login does, and shows no secret (CLI-16)", async () => {
    const home = freshHome()
    const env = { HOME: home, MARKETPLACE_URL: market.baseUrl }
    const { code, stderr, stdout } = await cli({ env }, "signup", "Grace Hopper", "--seller")
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(stdout, /^Created usr_\w+ on http:\S+, and logged in as Grace Hopper\.\n/)
    const file = readFileSync(join(home, ".config", "agent-marketplace", "config.json"), "utf8")
    const { apiKey } = JSON.parse(file).markets[market.baseUrl]
    assert.notInclude(stdout, apiKey)
    const who = JSON.parse((await cli({ env }, "whoami", "--json")).stdout)
    assert.deepInclude(who.account, { name: "Grace Hopper", seller: true })

    const again = await cli({ env }, "signup", "Somebody else")
    assert.strictEqual(again.code, 2)
    assert.include(again.stderr, "there is a key for")
    assert.strictEqual(readFileSync(join(home, ".config", "agent-marketplace", "config.json"), "utf8"), file)
  })

  it("says what is wrong, and stores nothing (CLI-11)", async () => {
    const env = { HOME: freshHome(), MARKETPLACE_URL: market.baseUrl }
    const refused = await cli({ env }, "signup", " ", "--json")
    assert.strictEqual(refused.code, 1)
    assert.strictEqual(JSON.parse(refused.stderr).error.code, "VALIDATION_ERROR")
    assert.strictEqual((await cli({ env }, "whoami")).code, 3)
  })
})
