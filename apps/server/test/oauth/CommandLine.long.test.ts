import { programFile } from "@agent-marketplace/fixtures/processes/programFile"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"
import { consentOf } from "./Person.ts"
import { startSlowMarket } from "./slowMarket.ts"
import type { SlowMarket } from "./slowMarket.ts"

const main = programFile("cli")

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresAt: string
}

const homes: Array<string> = []

/** A user's machine, with the command line on it. */
const machineOf = (marketUrl: () => string) => {
  const home = mkdtempSync(join(tmpdir(), "agent-marketplace-login-"))
  homes.push(home)
  const file = join(home, ".config/agent-marketplace/config.json")
  const env = { PATH: process.env["PATH"] ?? "", HOME: home }
  const start = (args: ReadonlyArray<string>) => {
    const child = spawn(process.execPath, [main, ...args, "--base-url", marketUrl()], {
      env,
      stdio: ["ignore", "pipe", "pipe"]
    })
    let said = ""
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()))
    const ended = Promise.all([text(child.stdout), once(child, "close")]).then(([stdout, [code]]): Ended => ({
      code: code as number,
      stdout,
      stderr: said
    }))
    return { ended, said: () => said }
  }
  const stored = (): Tokens | undefined =>
    (JSON.parse(readFileSync(file, "utf8")) as { markets: Record<string, Tokens> }).markets[marketUrl()]
  return {
    env,
    file,
    start,
    run: (...args: ReadonlyArray<string>) => start(args).ended,
    stored,
    /** As if the access token were to expire at once. */
    expire: (): void => {
      const kept = JSON.parse(readFileSync(file, "utf8")) as { markets: Record<string, object> }
      const tokens = { ...kept.markets[marketUrl()], expiresAt: "2020-01-01T00:00:00.000Z" }
      writeFileSync(file, JSON.stringify({ ...kept, markets: { [marketUrl()]: tokens } }))
    }
  }
}

describe("the command line logs in with the browser (CLI-17)", () => {
  let server: RunningServer
  let market: Market
  let slow: SlowMarket
  let hold: () => Promise<unknown> = () => Promise.resolve()

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), TEST_CLOCK: "true", LISTING_REVIEW: "auto" })
    market = onMarket(server.baseUrl, { testClock: true })
    slow = await startSlowMarket(server.baseUrl, () => hold())
  })
  afterAll(async () => {
    slow?.close()
    await server?.stop()
    for (const home of homes) rmSync(home, { recursive: true, force: true })
  })

  const machine = () => machineOf(() => slow.baseUrl)

  /** Logs in, while the owner decides in the browser. */
  const logIn = async (
    of: ReturnType<typeof machine>,
    owner: Member,
    decision: object,
    ...options: ReadonlyArray<string>
  ) => {
    let decided = () => {}
    const decisionMade = new Promise<void>((resolve) => (decided = resolve))
    hold = () => decisionMade
    const { ended, said } = of.start(["login", "--json", ...options])
    const code = await waitFor("the code", async () => /Code: (\S+)/.exec(said())?.[1])
    const person = await consentOf(server.baseUrl, owner)
    const { id } = dataOf<{ id: string }>(await person.requestByCode(code))
    await person.decide(id, decision)
    decided()
    return ended
  }

  const grantsOf = async (owner: Member) =>
    dataOf<ReadonlyArray<{ id: string; agentId: string }>>(await owner.get("/api/v1/oauth/grants"))

  it("becomes an agent with the consented permissions and limits, and says what only the owner may do (CLI-18)", async () => {
    const seller = await market.member({ seller: true })
    const owner = await market.fundedMember(50)
    const cheap = await market.listing(seller, "Cheap", 3)
    const dear = await market.listing(seller, "Dear", 30)
    const here = machine()
    const decision = { approve: true, scopes: ["read", "buy"], policy: { autoApprove: true, dailyLimit: 5 } }
    const loggedIn = await logIn(here, owner, decision)
    assert.strictEqual(loggedIn.code, 0, loggedIn.stderr)
    assert.deepInclude(JSON.parse(loggedIn.stdout), { scopes: ["read", "buy"] })
    assert.strictEqual((statSync(here.file).mode & 0o777).toString(8), "600")
    assert.notInclude(loggedIn.stdout + loggedIn.stderr, here.stored()?.accessToken ?? "amt_")
    const [grant] = await grantsOf(owner)

    const who = JSON.parse((await here.run("whoami", "--json")).stdout)
    assert.deepStrictEqual([who.keySource, who.account.id], ["browser", owner.id])
    const bought = JSON.parse((await here.run("buy", cheap, "--yes", "--json")).stdout)
    assert.strictEqual(bought.status, "completed")
    assert.strictEqual(
      JSON.parse((await here.run("buy", dear, "--yes", "--json")).stderr).error.code,
      "SPENDING_LIMIT_EXCEEDED"
    )
    for (const command of ["keys create --name x --scope READ", "console --no-open"]) {
      const { code, stderr } = await here.run(...command.split(" "))
      assert.strictEqual(code, 1, command + stderr)
      assert.include(stderr, "acts as an agent with the permissions read, buy", command)
      assert.include(stderr, "login --key", command)
    }
    const refresh = await here.run("keys", "refresh")
    assert.deepStrictEqual([refresh.code, refresh.stderr.includes("refreshed by themselves")], [2, true])

    const { stdout } = await here.run("logout", "--json")
    assert.deepInclude(JSON.parse(stdout), { forgotten: true, revoked: true })
    assert.isEmpty((await grantsOf(owner)).filter(({ id }) => id === grant?.id))
    assert.strictEqual(JSON.parse((await here.run("whoami", "--json")).stderr).error.code, "NO_API_KEY")
  })

  it("refreshes an expired token, also one that only the market knows to have expired, and the MCP server does so with the same file (MCP-13)", async () => {
    const owner = await market.fundedMember(50)
    const here = machine()
    await logIn(here, owner, { approve: true, scopes: ["read"] }, "--scope", "read")
    const first = here.stored()
    here.expire()
    assert.strictEqual((await here.run("wallet", "balance", "--json")).code, 0)
    const second = here.stored()
    assert.notStrictEqual(second?.refreshToken, first?.refreshToken)
    await market.advance(2 * 3600)
    assert.strictEqual((await here.run("wallet", "balance", "--json")).code, 0)
    assert.notStrictEqual(here.stored()?.refreshToken, second?.refreshToken)

    here.expire()
    const mcp = new McpClient({ name: "host", version: "1.0.0" })
    await mcp.connect(
      new StdioClientTransport({ command: process.execPath, args: [programFile("mcp")], env: here.env, stderr: "pipe" })
    )
    const { isError } = await mcp.callTool({ name: "wallet_balance", arguments: {} })
    assert.notStrictEqual(isError, true)
    await market.advance(2 * 3600)
    assert.notStrictEqual((await mcp.callTool({ name: "wallet_balance", arguments: {} })).isError, true)
    await mcp.close()
    assert.strictEqual((await here.run("wallet", "balance", "--json")).code, 0)

    const [grant] = await grantsOf(owner)
    dataOf(await owner.delete(`/api/v1/oauth/grants/${grant?.id}`))
    here.expire()
    const ended = await here.run("wallet", "balance", "--json")
    assert.strictEqual(ended.code, 3)
    assert.include(JSON.parse(ended.stderr).error.hint, "agent-marketplace login")
  })

  it("refreshes once if several processes find the token expired, because a second use would end the grant", async () => {
    const owner = await market.fundedMember(50)
    const here = machine()
    await logIn(here, owner, { approve: true })
    here.expire()
    // The market responds so slowly that the processes would overlap without the lock.
    hold = () => pause(1500)
    const before = slow.tokenRequests()
    const ran = await Promise.all(Array.from({ length: 2 }, () => here.run("wallet", "balance", "--json")))
    hold = () => Promise.resolve()
    assert.deepStrictEqual(
      ran.map(({ code, stderr }) => [code, stderr]),
      [
        [0, ""],
        [0, ""]
      ]
    )
    assert.strictEqual(slow.tokenRequests() - before, 1)
    assert.strictEqual((await here.run("wallet", "balance", "--json")).code, 0)
    assert.lengthOf(await grantsOf(owner), 1)
  })

  it("a new login ends the access of the earlier one; a refusal changes nothing", async () => {
    const owner = await market.fundedMember(50)
    const here = machine()
    await logIn(here, owner, { approve: true })
    const [earlier] = await grantsOf(owner)
    const refused = await logIn(here, owner, { approve: false })
    assert.strictEqual(refused.code, 3)
    assert.strictEqual(JSON.parse(refused.stderr.trim().split("\n").at(-1) ?? "").error.code, "ACCESS_DENIED")
    assert.strictEqual((await here.run("wallet", "balance", "--json")).code, 0)
    await logIn(here, owner, { approve: true })
    const grants = await grantsOf(owner)
    assert.lengthOf(grants, 1)
    assert.notStrictEqual(grants[0]?.id, earlier?.id)
  })
})
