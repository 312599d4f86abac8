import { createEmptyDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { execFile, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, it } from "vitest"
import { dataOf, makeClient } from "./fixtures/Client.ts"
import { onMarket } from "./fixtures/Market.ts"
import { harmful, released, skillArchive } from "./fixtures/skillArchives.ts"
import { adminToken } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const run = promisify(execFile)

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await new Promise((listening) => server.once("listening", listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/** The command of the Dockerfile's HEALTHCHECK, as the container runtime would run it. */
const healthCheck = (env: Readonly<Record<string, string>>): Promise<boolean> => {
  const [, command = "[]"] =
    /HEALTHCHECK[\s\S]*?CMD (\[.*\])/.exec(readFileSync(join(root, "Dockerfile"), "utf8")) ?? []
  const [, ...args] = JSON.parse(command) as ReadonlyArray<string>
  return run(process.execPath, args, { env }).then(
    () => true,
    () => false
  )
}

let image: string
beforeAll(async () => {
  image = await mkdtemp(join(tmpdir(), "agent-marketplace-image-"))
  await run(process.execPath, [join(root, "scripts/buildImage.ts"), image], { cwd: root })
}, 300_000)
afterAll(() => rm(image, { recursive: true }))

/** One part of the image; errors reach the test's own output. */
const start = (part: string, env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [join(image, part, "main.js")], {
    cwd: image,
    env,
    stdio: ["ignore", "ignore", "inherit"]
  })
  const ended = new Promise<number | null>((end) => child.once("close", end))
  return {
    stop: () => {
      child.kill("SIGTERM")
      return ended
    }
  }
}

/** The server unpacks and the worker scans, each in a thread whose program is a part of the bundle. */
const releasesAreScanned = async (baseUrl: string): Promise<void> => {
  const market = onMarket(baseUrl)
  const seller = await market.member({ seller: true })
  const listing = await market.listing(seller, "Sorter", 5)
  const { status } = await released(seller, listing, "1.0.0")
  assert.strictEqual(status, "published")
  const stopped = await released(seller, listing, "1.0.1", skillArchive("1.0.1", {}, harmful))
  assert.strictEqual(stopped.status, "quarantined")
}

it("the bundles of the container image run without node_modules, pass its health check, scan releases and stop on SIGTERM", async () => {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const env = {
    PATH: process.env["PATH"] ?? "",
    NODE_ENV: "production",
    ADMIN_TOKEN: adminToken,
    DATABASE_URL: await createEmptyDatabase(),
    LISTING_REVIEW: "auto",
    HOST: "127.0.0.1",
    LOG_FORMAT: "json",
    PORT: String(port)
  }
  const workerEnv = { ...env, METRICS_PORT: String(metricsPort) }
  assert.isFalse(await healthCheck(env), "nothing runs yet")
  const server = start("server", { ...env, WORKER: "external" })
  const client = makeClient(`http://127.0.0.1:${port}`, adminToken)
  await waitFor("the server is healthy", () => healthCheck(env))
  const worker = start("worker", workerEnv)
  await waitFor("the worker is healthy", () => healthCheck(workerEnv))
  const audit = dataOf<{ readonly balanced: boolean }>(await client.get("/api/v1/admin/ledger/audit"))
  assert.isTrue(audit.balanced)
  const { stdout } = await run(process.execPath, [join(image, "cli/main.js"), "operator", "migrate"], { env })
  assert.isNotEmpty(stdout)
  for (const path of ["/docs", "/graphql", "/graphql/graphiql.js"]) {
    assert.strictEqual((await client.get(path)).status, 200, path)
  }
  const profile = await client.post("/graphql", { query: "{ activity { stats { activeAgents } } }" })
  assert.strictEqual(profile.status, 200, profile.text)
  await releasesAreScanned(`http://127.0.0.1:${port}`)
  assert.deepStrictEqual([await server.stop(), await worker.stop()], [0, 0])
}, 300_000)
