import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, existsSync, openSync } from "node:fs"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { programFile } from "@agent-marketplace/fixtures/processes/programFile"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freshHome } from "./running/cli.ts"
import type { RunningMarket } from "./running/startMarket.ts"
import { startMarket } from "./running/startMarket.ts"

const main = programFile("cli")

let market: RunningMarket
let env: Readonly<Record<string, string>>

const start = (args: ReadonlyArray<string>) =>
  spawn(process.execPath, [main, ...args], { env: { PATH: process.env["PATH"], ...env } })

const run = async (args: ReadonlyArray<string>, stdin = "") => {
  const child = start(args)
  child.stdin.end(stdin)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")])
  return { code, stdout, stderr }
}

beforeAll(async () => {
  market = await startMarket()
  env = { HOME: freshHome(), MARKETPLACE_URL: market.baseUrl }
})

afterAll(() => market.stop())

describe("the process", () => {
  it("reads a key from standard input, stores it, and uses it in the next process", async () => {
    assert.deepStrictEqual(await run(["login"], `${market.keys.buyer}\n`), {
      code: 0,
      stdout: `Logged in to ${market.baseUrl} as Harness Buyer.\n`,
      stderr: ""
    })
    const { code, stderr, stdout } = await run(["purchases", "--json"])
    assert.deepStrictEqual([code, JSON.parse(stdout).purchases, stderr], [0, [], ""])
  })

  it("prints tab-separated lines if standard output is not a terminal, and exits with the documented codes", async () => {
    const found = await run(["search", "mail"])
    assert.deepStrictEqual(
      [found.code, found.stdout],
      [0, "mail-sorter\tMail Sorter\t10.00 USDT\t\tautomation\tMail Sorter, ready to install.\n"]
    )
    const wrong = await run(["search", "--colour"])
    assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
    assert.strictEqual((await run(["show", "nothing-there"])).code, 1)
  })

  it("exits quietly with 0 if the reader closes the pipe", async () => {
    const child = start(["show", "patient-tutor"])
    child.stdin.end()
    child.stdout.destroy()
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")])
    assert.deepStrictEqual([code, stderr], [0, ""])
  })

  it.skipIf(!existsSync("/dev/full"))("reports that its output cannot be written, and exits with 1", async () => {
    const full = openSync("/dev/full", "w")
    const options = { env: { PATH: process.env["PATH"], ...env }, stdio: ["ignore", full, "pipe"] as const }
    const child = spawn(process.execPath, [main, "show", "patient-tutor", "--json"], {
      ...options,
      stdio: [...options.stdio]
    })
    closeSync(full)
    const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, "exit")])
    assert.deepStrictEqual([code, JSON.parse(stderr).error.code], [1, "OUTPUT_FAILED"])
  })

  it("reports the required version to an older Node", async () => {
    const older = "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })"
    const child = spawn(process.execPath, [
      "--import",
      `data:text/javascript,${encodeURIComponent(older)}`,
      main,
      "search"
    ])
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")])
    assert.strictEqual(code, 1)
    assert.match(stderr, /^error: agent-marketplace needs Node 22\.19 or later/)
  })

  it("deletes its subscription when it is stopped while it listens, and exits with 130", async () => {
    const child = start(["webhooks", "listen", "--port", "0"])
    child.stdin.end()
    await once(child.stderr, "data")
    assert.lengthOf(JSON.parse((await run(["webhooks", "list", "--json"])).stdout), 1)
    child.kill("SIGINT")
    assert.deepStrictEqual(await once(child, "exit"), [130, null])
    assert.deepStrictEqual(JSON.parse((await run(["webhooks", "list", "--json"])).stdout), [])
  })
})

describe("following (LIVE-13)", () => {
  let souls = 0
  const publish = async () => {
    souls += 1
    const headers = { authorization: `Bearer ${market.keys.seller}`, "content-type": "application/json" }
    const body = {
      name: `Followed Soul ${souls}`,
      description: "A soul of a test.",
      content: "# SOUL\n\n## Identity\n\nKind."
    }
    const url = `${market.baseUrl}/api/v1/souls/create`
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
    assert.strictEqual(response.status, 201, await response.clone().text())
    return (await response.json()) as { id: string }
  }

  /** The command, its lines one by one, and its end by Ctrl-C. */
  const following = (...args: ReadonlyArray<string>) => {
    const child = spawn(process.execPath, [main, ...args], {
      env: { PATH: process.env["PATH"], ...env, MARKETPLACE_API_KEY: market.keys.seller },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const errors = text(child.stderr)
    return {
      line: async () => String((await lines.next()).value),
      interrupt: async () => {
        const exit = once(child, "exit")
        child.kill("SIGINT")
        const [code] = await exit
        return { code, more: (await lines.next()).done !== true, stderr: await errors }
      }
    }
  }
  const interrupted = { code: 130, more: false, stderr: "" }

  it("events --follow prints each event on a line, --types selects and --after continues, until Ctrl-C", async () => {
    const all = following("events", "--follow", "--json", "--after", "0", "--types", "soul.created")
    const seeded = JSON.parse(await all.line())
    assert.deepInclude(seeded, { event: "soul.created" })
    assert.strictEqual(seeded.data.soulId, market.items.soul.id, "listings come before it, and are not selected")
    const soul = await publish()
    const created = JSON.parse(await all.line())
    assert.strictEqual(created.data.soulId, soul.id)
    assert.deepStrictEqual(await all.interrupt(), interrupted)

    const rest = following("events", "--follow", "--after", seeded.cursor, "--types", "soul.created")
    const data = JSON.stringify(created.data)
    assert.strictEqual(await rest.line(), [created.cursor, created.timestamp, created.event, data].join("\t"))
    assert.deepStrictEqual(await rest.interrupt(), interrupted)
  })

  it("activity --follow prints each new item on a line, until Ctrl-C", async () => {
    const [plain, json] = [following("activity", "--follow"), following("activity", "--follow", "--json")]
    const both = Promise.all([plain.line(), json.line()])
    const soon = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 250))
    // They start with the next item, and do not report when they are connected.
    let printed: ReadonlyArray<string> | undefined
    for (let tries = 0; printed === undefined && tries < 60; tries++) {
      await publish()
      printed = await Promise.race([both, soon()])
    }
    const [line = "", item = ""] = printed ?? []
    assert.match(line, /^\d{4}-\d\d-\d\d \d\d:\d\d\t[^\t]+\t.* listed Followed Soul \d+\t$/)
    const { id, message } = JSON.parse(item)
    assert.isString(id)
    assert.match(message, / listed Followed Soul \d+$/)
    for (const one of [plain, json]) assert.strictEqual((await one.interrupt()).code, 130)
  })

  it("events needs --follow, and refuses an unknown type before it connects", async () => {
    for (const args of [["events"], ["events", "--follow", "--types", "soul.created,nonsense"]]) {
      const { code, stdout } = await run(args)
      assert.deepStrictEqual([code, stdout], [2, ""], args.join(" "))
    }
  })
})
