import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { programFile } from "@agent-marketplace/fixtures/processes/programFile"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { agents } from "../fixtures/agents.ts"
import { onMarket } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

const main = programFile("mcp")

interface Said {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the process with this input until it exits. */
const say = (lines: ReadonlyArray<string>, env: Readonly<Record<string, string>>): Promise<Said> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [main], { env: { PATH: process.env["PATH"], ...env } })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    child.once("close", (code) => resolve({ code, stdout, stderr }))
    child.stdin.on("error", () => undefined)
    child.stdin.end(lines.map((line) => `${line}\n`).join(""))
  })

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "agent", version: "1.0.0" } }
})

const answersOf = ({ stdout }: Said) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: unknown; result?: unknown; error?: { code: number; message: string } })

describe("the MCP server as a process", () => {
  let server: RunningServer
  let key: string

  beforeAll(async () => {
    server = await startServer({ STORAGE: "memory" })
    key = (await onMarket(server.baseUrl).member()).key
  })
  afterAll(() => server?.stop())

  const speak = (...lines: ReadonlyArray<string>) =>
    say(lines, { MARKETPLACE_URL: server.baseUrl, MARKETPLACE_API_KEY: key })

  it("exits at the end of its input, after all responses", async () => {
    const said = await speak(initialize, '{"jsonrpc":"2.0","id":2,"method":"ping"}')
    assert.strictEqual(said.code, 0)
    assert.strictEqual(said.stderr, "")
    assert.sameMembers(
      answersOf(said).map(({ id }) => id),
      [1, 2]
    )
  })

  it("writes only protocol messages to standard output, and survives malformed input", async () => {
    const rubbish = [
      "{",
      "5",
      "null",
      "[]",
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      "",
      "\u0000"
    ]
    const said = await speak(...rubbish, initialize, '{"jsonrpc":"2.0","method":"notifications/unknown"}')
    assert.strictEqual(said.code, 0)
    const answers = answersOf(said)
    assert.sameMembers(
      answers.map(({ error }) => error?.code),
      [-32700, -32600, -32600, -32600, -32600, -32600, -32700, undefined]
    )
    assert.strictEqual(answers.find(({ error }) => error === undefined)?.id, 1)
  })

  it("must be initialized first", async () => {
    const [early] = answersOf(await speak('{"jsonrpc":"2.0","id":"early","method":"tools/list"}'))
    assert.deepInclude(early, { id: "early", error: { code: -32600, message: "Send initialize first" } })
  })

  it("reports all missing variables together on standard error, and never prints the key", async () => {
    const said = await say([], { MARKETPLACE_URL: "market", MARKETPLACE_API_KEY: "" })
    assert.strictEqual(said.code, 78)
    assert.strictEqual(said.stdout, "")
    assert.match(said.stderr, /MARKETPLACE_API_KEY must be/)
    assert.match(said.stderr, /MARKETPLACE_URL must be/)
    const wrong = await say([], { MARKETPLACE_URL: "market", MARKETPLACE_API_KEY: "amk_secret_key" })
    assert.notInclude(wrong.stderr, "amk_secret_key")
    for (const url of ["http://ada:hunter2@x.example", "http://x.example#"]) {
      const { code, stderr } = await say([], { MARKETPLACE_URL: url, MARKETPLACE_API_KEY: "amk_key" })
      assert.strictEqual(code, 78)
      assert.notMatch(stderr, /hunter2|\n\s+at /)
    }
  })

  it("reports an invalid key, an unavailable market and a wrong URL as errors of the tool", async () => {
    const stranger = await agents.stdio(server.baseUrl, "amk_unknown")
    await stranger.fail("INVALID_API_KEY", "wallet_balance")
    await stranger.close()

    const nobody = await agents.stdio("http://127.0.0.1:1", key)
    const { next } = await nobody.fail("NETWORK_ERROR", "buy", {
      itemId: "lst_1",
      maxPrice: 1_000_000,
      idempotencyKey: "away"
    })
    assert.match(next, /same idempotencyKey/)
    await nobody.close()

    const page = createServer((_, response) => response.end("<html>")).listen(0, "127.0.0.1")
    await once(page, "listening")
    const other = await agents.stdio(`http://127.0.0.1:${(page.address() as AddressInfo).port}`, key)
    await other.fail("INVALID_RESPONSE", "wallet_balance")
    await other.close()
    page.close()
  })

  it("stops on request", async () => {
    const child = execFile(process.execPath, [main], {
      env: { PATH: process.env["PATH"], MARKETPLACE_URL: server.baseUrl, MARKETPLACE_API_KEY: key }
    })
    const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)))
    const heard = new Promise((resolve) => child.stdout?.once("data", resolve))
    child.stdin?.write(`${initialize}\n`)
    await heard
    child.kill("SIGTERM")
    assert.include([0, 130, 143, "SIGTERM"], await ended)
  })
})
