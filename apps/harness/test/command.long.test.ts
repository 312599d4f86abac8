import { execFile, spawn } from "node:child_process"
import type { ChildProcessByStdio } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { programFile } from "@agent-marketplace/fixtures/processes/programFile"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { DemoClient } from "../src/DemoClient.ts"
import type { Harness } from "../src/startHarness.ts"

const command = programFile("harness")

type ResponseField = Pick<Harness, "baseUrl" | "items" | "keys">

const ended = (...args: ReadonlyArray<string>): Promise<{ readonly code: number; readonly stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], (error, _, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stderr })
    )
  })

describe("the harness as a command, for other languages", () => {
  let child: ChildProcessByStdio<null, Readable, null>
  let state: ResponseField
  let market: DemoClient
  beforeAll(async () => {
    child = spawn(process.execPath, [command, "--port", "0", "--seed", "7"], { stdio: ["ignore", "pipe", "inherit"] })
    const [line] = (await once(createInterface(child.stdout), "line")) as [string]
    state = JSON.parse(line) as ResponseField
    market = new DemoClient(state.baseUrl)
  })
  afterAll(() => child.kill("SIGKILL"))

  const control = async (method: string, name: string, body?: string) => {
    const response = await fetch(`${state.baseUrl}/harness/${name}`, {
      method,
      ...(body === undefined ? {} : { body })
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }

  it("prints its address and keys, moves time, makes deposits and resets (HARNESS-3)", async () => {
    const { address } = await market.data("GET", "/api/v1/wallet/deposit", state.keys.buyer)
    assert.deepStrictEqual((await control("POST", "deposits", JSON.stringify({ address, amount: "12.50" }))).body, {})
    assert.strictEqual((await market.data("GET", "/api/v1/wallet/balance", state.keys.buyer)).balance, 1012.5)
    const before = (await control("GET", "state")).body["now"] ?? ""
    const after = (await control("POST", "clock", '{"seconds":86400}')).body["now"] ?? ""
    assert.isAtLeast(Date.parse(after) - Date.parse(before), 86_400_000)
    const renewed = (await control("POST", "reset")).body
    assert.deepStrictEqual(renewed["keys"], state.keys as unknown as string)
    assert.strictEqual((await market.data("GET", "/api/v1/wallet/balance", state.keys.buyer)).balance, 1000)
  })

  it("sets and clears faults", async () => {
    const { body } = await control("POST", "faults", '{"requests":{"status":503,"times":2},"chain":"stalled"}')
    assert.deepStrictEqual(body, {})
    const balance = () =>
      fetch(`${state.baseUrl}/api/v1/wallet/balance`, { headers: { authorization: `Bearer ${state.keys.buyer}` } })
    assert.strictEqual((await balance()).status, 503)
    await control("DELETE", "faults")
    assert.strictEqual((await balance()).status, 200)
    for (const [wrong, error] of [
      ['{"request":{}}', "request is not one of requests, webhooks, chain"],
      ['{"chain":"slow"}', "chain must be stalled or running"],
      ['{"webhooks":[]}', "webhooks must be a JSON object"],
      ['{"webhooks":{"status":200}}', "status must be a whole number from 300 to 599"]
    ] as const)
      assert.deepStrictEqual(await control("POST", "faults", wrong), { status: 400, body: { error } })
  })

  it("explains what is wrong with a request", async () => {
    const wrong = [
      ["POST", "clock", '{"seconds":-5}', 400, "seconds must be a whole number from 1 to 316224000"],
      ["POST", "clock", "{", 400, "the body must be a JSON object"],
      ["POST", "clock", "[]", 400, "the body must be a JSON object"],
      ["POST", "deposits", '{"address":"T","amount":"1.0000001"}', 400, "amount must have at most 6 decimals"],
      [
        "DELETE",
        "clock",
        "",
        404,
        "the controls are GET state, POST clock, POST deposits, POST faults, DELETE faults, POST reset"
      ]
    ] as const
    for (const [method, name, body, status, error] of wrong)
      assert.deepStrictEqual(await control(method, name, body), { status, body: { error } })
  })

  it("reports the required version to an older Node on standard error, where programs in other languages read it", async () => {
    const older = "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })"
    const args = ["--import", `data:text/javascript,${encodeURIComponent(older)}`, command, "--port", "0"]
    const started = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] })
    const [stdout, stderr, [code]] = await Promise.all([
      text(started.stdout),
      text(started.stderr),
      once(started, "exit")
    ])
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.match(stderr, /^error: agent-marketplace-harness needs Node 22\.19 or later/)
  })

  it("refuses unknown flags and a port in use, and exits on SIGTERM", async () => {
    assert.include(await ended("--sed", "1"), { code: 64 })
    assert.match((await ended("--port", "99999")).stderr, /^--port must be a whole number from 0 to 65535/)
    assert.deepStrictEqual(await ended("--port", new URL(state.baseUrl).port), {
      code: 1,
      stderr: "The port is in use; --port 0 uses a free one.\n"
    })
    const exit = once(child, "exit")
    child.kill("SIGTERM")
    assert.deepStrictEqual(await exit, [0, null])
  })
})
