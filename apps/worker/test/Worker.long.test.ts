import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { startReceiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { joinMarket } from "./fixtures/Market.ts"
import { adminToken, spawnApp, startServer, startWorker } from "./fixtures/processes.ts"
import type { RunningProcess } from "./fixtures/processes.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const metricsToken = "a token for the metrics"

const scrape = async (statusUrl: string): Promise<string> => {
  const response = await fetch(`${statusUrl}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  assert.strictEqual(response.status, 200)
  return await response.text()
}

describe("a worker's configuration (CONFIG-1)", () => {
  it("reports all errors together, requires a database, prints no secret and exits with an error", async () => {
    const worker = spawnApp("worker", {
      ADMIN_TOKEN: "too-short",
      STORAGE: "memory",
      METRICS_PORT: "70000",
      WEBHOOK_SECRET_KEY: "short",
      WEBHOOK_ALLOW_PRIVATE: "perhaps"
    })
    await waitFor("its end", worker.hasEnded)
    assert.strictEqual(await worker.end("SIGTERM"), 78)
    for (const name of [
      "ADMIN_TOKEN must have at least 32 characters",
      "DATABASE_URL must be set for a worker",
      "STORAGE must be postgres for a worker",
      "METRICS_PORT must be a whole number",
      "WEBHOOK_SECRET_KEY must have at least 32 characters",
      "WEBHOOK_ALLOW_PRIVATE must be true or false"
    ]) {
      assert.include(worker.output(), name)
    }
    assert.notInclude(worker.output(), "too-short")
  })

  it("refuses to start if its port is in use, with one line that names the variable, and warns about DATA_DIR_ADOPT (CONFIG-24)", async () => {
    const DATABASE_URL = await createDatabase()
    const first = await startWorker({ DATABASE_URL, METRICS_PORT: "0", DATA_DIR_ADOPT: "true" })
    await waitFor("the warning", () => first.output().includes("DATA_DIR_ADOPT is set"))
    const second = spawnApp("worker", { DATABASE_URL, METRICS_PORT: new URL(first.statusUrl).port })
    await waitFor("its end", second.hasEnded)
    assert.strictEqual(await second.end("SIGTERM"), 1)
    // The role of the test database is a superuser, which is a warning of its own (CONFIG-23).
    const lines = second
      .output()
      .trim()
      .split("\n")
      .filter((line) => !line.includes("superuser"))
    assert.lengthOf(lines, 1)
    assert.include(lines[0], "METRICS_PORT")
    assert.notInclude(second.output(), "DATA_DIR_ADOPT is set")
    assert.strictEqual(await first.end("SIGTERM"), 0)
  })
})

describe("workers with a server (SYSTEM-5)", () => {
  const processes: Array<RunningProcess> = []
  const ends: Array<() => unknown> = []
  let env = { DATABASE_URL: "" }
  let baseUrl = ""

  const worker = async (more: Readonly<Record<string, string>> = {}) => {
    const started = await startWorker({ ...env, ...more })
    processes.push(started)
    return started
  }

  beforeAll(async () => {
    env = { DATABASE_URL: await createDatabase() }
    const server = await startServer(env)
    processes.push(server)
    baseUrl = server.baseUrl
  })
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.hasEnded() || each.end("SIGKILL")))
    await Promise.all(ends.map((end) => end()))
  })

  it("a started worker executes the pending jobs of a server without jobs, and its metrics show it", async () => {
    const author = await joinMarket(baseUrl, "Author")
    const receiver = await startReceiver()
    ends.push(receiver.close)
    await author.subscribe(receiver.url, ["soul.created"])
    await author.createSoul()
    const { statusUrl } = await worker({ METRICS_PORT: "0", METRICS_TOKEN: metricsToken })
    await waitFor("the event", () => receiver.received.length > 0)

    const figures = await waitFor("the gauges", async () => {
      const text = await scrape(statusUrl)
      return text.includes("webhook_queue_deliveries") ? text : undefined
    })
    assert.match(figures, /^webhook_attempts\w*\{[^}]*outcome="2xx"[^}]*\} 1$/m)
    assert.match(figures, /^webhook_queue_deliveries 0$/m)
    assert.match(figures, /^webhook_queue_oldest_seconds 0$/m)
    const status = async (path: string) => (await fetch(new URL(path, statusUrl))).status
    assert.strictEqual(await status("/healthz"), 200)
    assert.strictEqual(await status("/readyz"), 200)
    assert.strictEqual(await status("/metrics"), 401)
    assert.strictEqual(await status("/nothing"), 404)
  })

  it("an embedded worker executes them too, and the server's metrics show it (CONFIG-11)", async () => {
    const alone = await startServer({ DATABASE_URL: await createDatabase(), WORKER: "embedded" })
    processes.push(alone)
    const author = await joinMarket(alone.baseUrl, "Author")
    const receiver = await startReceiver()
    ends.push(receiver.close)
    await author.subscribe(receiver.url)
    await author.createSoul()
    await waitFor("the event", () => receiver.received.length > 0)
    const figures = await waitFor("the figures", async () => {
      const response = await fetch(`${alone.baseUrl}/metrics`, { headers: { authorization: `Bearer ${adminToken}` } })
      const text = await response.text()
      return /^webhook_attempts\w*\{[^}]*outcome="2xx"/m.test(text) ? text : undefined
    })
    assert.include(figures, "webhook_queue_deliveries")
    assert.strictEqual(await alone.end("SIGTERM"), 0)
  })
})
