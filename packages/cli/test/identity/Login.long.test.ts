import { chmodSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cli, freshHome } from "../running/cli.ts"
import type { RunningMarket } from "../running/startMarket.ts"
import { startMarket } from "../running/startMarket.ts"

let market: RunningMarket
let home: string
let file: string

const run = (...args: ReadonlyArray<string>) => cli({ env: { HOME: home } }, ...args)

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

beforeAll(async () => {
  market = await startMarket()
  home = freshHome()
  file = join(home, ".config", "agent-marketplace", "config.json")
})

afterAll(() => market.stop())

describe("login", () => {
  it("stores a valid key from standard input, in a file that only its owner can read", async () => {
    const context = { env: { HOME: home }, stdin: `${market.keys.buyer}\n` }
    const { code, stderr, stdout } = await cli(context, "login", "--base-url", `${market.baseUrl}/`)
    assert.deepStrictEqual([code, stdout, stderr], [0, `Logged in to ${market.baseUrl} as Harness Buyer.\n`, ""])
    assert.deepStrictEqual([modeOf(file), modeOf(dirname(file))], ["600", "700"])
    const who = await run("whoami", "--json")
    assert.strictEqual(JSON.parse(who.stdout).account.name, "Harness Buyer")
    assert.strictEqual(JSON.parse(who.stdout).keySource, "login")
  })

  it("reads the key from a hidden prompt and shows nothing of it (CLI-1)", async () => {
    const typed = `${market.keys.seller}\r`
    const ran = await cli({ env: { HOME: home }, terminal: 80, typed }, "login", "--key", "--base-url", market.baseUrl)
    assert.strictEqual(ran.stdout, `Logged in to ${market.baseUrl} as Harness Seller.\n`)
    assert.include(ran.shown, "API key")
    assert.notInclude(ran.shown + ran.stdout + ran.stderr, market.keys.seller.slice(4, 12))
  })

  it("uses the key in the environment, which takes precedence over the stored one", async () => {
    const env = { HOME: home, MARKETPLACE_API_KEY: market.keys.buyer, MARKETPLACE_URL: market.baseUrl }
    assert.strictEqual((await cli({ env }, "login")).code, 0)
    const seller = { ...env, MARKETPLACE_API_KEY: market.keys.seller }
    const who = JSON.parse((await cli({ env: seller }, "whoami", "--json")).stdout)
    assert.deepStrictEqual([who.account.name, who.keySource], ["Harness Seller", "environment"])
  })

  it("refuses an unknown key, and neither stores nor shows it", async () => {
    const empty = freshHome()
    const key = `${market.keys.buyer.slice(0, -1)}x`
    const context = { env: { HOME: empty }, stdin: key }
    const { code, stderr } = await cli(context, "login", "--base-url", market.baseUrl, "--json")
    const { error } = JSON.parse(stderr)
    assert.deepStrictEqual([code, error.code, error.statusCode], [3, "INVALID_API_KEY", 401])
    assert.include(error.hint, "agent-marketplace login")
    assert.notInclude(stderr, key)
    const after = await cli({ env: { HOME: empty } }, "whoami", "--base-url", market.baseUrl, "--json")
    assert.strictEqual(JSON.parse(after.stderr).error.code, "NO_API_KEY")
  })

  it("accepts no key as an argument, and does not print one (CLI-1)", async () => {
    for (const args of [
      ["login", market.keys.buyer],
      ["login", "--api-key", market.keys.buyer]
    ]) {
      const { code, stderr } = await run(...args)
      assert.strictEqual(code, 2)
      assert.notInclude(stderr, market.keys.buyer)
    }
  })

  it("refuses an invalid key without sending it", async () => {
    const context = { env: { HOME: freshHome() }, stdin: "two words\n" }
    const { code, stderr } = await cli(context, "login", "--base-url", "http://127.0.0.1:1")
    assert.strictEqual(code, 3)
    assert.include(stderr, "this is not an API key")
  })
})

describe("the stored key", () => {
  it("is sent only to the market that accepted it (CLI-2)", async () => {
    const { code, stderr } = await run("whoami", "--base-url", "http://127.0.0.1:9", "--json")
    assert.deepStrictEqual([code, JSON.parse(stderr).error.code], [3, "NO_API_KEY"])
  })

  it("is not used if other users may read or replace the file", async () => {
    for (const [path, open, safe] of [
      [file, 0o640, 0o600],
      [dirname(file), 0o770, 0o700]
    ] as const) {
      chmodSync(path, open)
      const { code, stderr } = await run("whoami")
      assert.strictEqual(code, 3)
      assert.include(stderr, "chmod")
      chmodSync(path, safe)
    }
    assert.strictEqual((await run("whoami")).code, 0)
  })

  it("is replaced by keys refresh, without being shown", async () => {
    const before = readFileSync(file, "utf8")
    const { code, stdout } = await run("keys", "refresh", "--grace-seconds", "0", "--json")
    assert.strictEqual(code, 0)
    assert.notProperty(JSON.parse(stdout), "key")
    assert.notStrictEqual(readFileSync(file, "utf8"), before)
    assert.strictEqual((await run("whoami")).code, 0)
  })

  it("is removed by logout", async () => {
    assert.strictEqual(JSON.parse((await run("logout", "--json")).stdout).forgotten, true)
    assert.notInclude(readFileSync(file, "utf8"), "amk_")
    assert.strictEqual((await run("whoami", "--base-url", market.baseUrl)).code, 3)
  })
})

describe("which market", () => {
  it("has to be configured once, as a URL without credentials", async () => {
    const none = await cli({ env: { HOME: freshHome() } }, "search")
    assert.strictEqual(none.code, 2)
    assert.include(none.stderr, "--base-url")
    for (const url of ["market.example.com", "ftp://market.example.com", "https://me:secret@market.example.com"]) {
      const { code, stderr } = await cli({ env: { HOME: freshHome() } }, "search", "--base-url", url)
      assert.strictEqual(code, 2)
      assert.notInclude(stderr, "secret")
    }
  })

  it("that is unavailable is reported with its address and what to do; the exit code is 4", async () => {
    const env = { HOME: freshHome(), MARKETPLACE_API_KEY: "amk_whatever" }
    const { code, stderr } = await cli({ env }, "wallet", "balance", "--base-url", "http://127.0.0.1:9")
    assert.strictEqual(code, 4)
    assert.match(stderr, /^error: no response from http:\/\/127\.0\.0\.1:9\n.*--base-url/)
  })
})
