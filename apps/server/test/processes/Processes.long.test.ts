import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { once } from "node:events"
import { connect, createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { makeClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import { spawnServer, startServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

/** Process ids by number, as the metrics report them. */
const processesIn = (metrics: string) =>
  new Set([...metrics.matchAll(/^process_resident_memory_bytes\{process="(\d+)"/gm)].map(([, number]) => number))

const children = async (pid: number): Promise<ReadonlyArray<number>> => {
  const { readFile } = await import("node:fs/promises")
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")
  return text.trim().split(" ").filter(Boolean).map(Number)
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("several server processes on one port (CONFIG-15)", () => {
  it("serve together, are restarted when one is killed, report metrics together (SYSTEM-20), and stop together", async () => {
    const server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto", PROCESSES: "2" })
    const market = onMarket(server.baseUrl)
    const metrics = () => makeClient(server.baseUrl).get("/metrics")
    await waitFor("both processes", async () => processesIn((await metrics()).text).size === 2)
    assert.strictEqual((await metrics()).text.match(/^# TYPE process_resident_memory_bytes gauge$/gm)?.length, 1)

    const member = await market.fundedMember(10)
    const before = await children(server.pid)
    assert.lengthOf(before, 2)
    process.kill(before[0] ?? 0, "SIGKILL")
    await waitFor("another process", async () => {
      const now = await children(server.pid)
      return now.length === 2 && !now.includes(before[0] ?? 0)
    })
    await waitFor("both processes again", async () => processesIn((await metrics()).text).size === 2)
    assert.strictEqual((await market.balanceOf(member)).balance, 10)
    await market.assertBalanced()

    // Each request opens its own connection, so that both processes answer.
    assert.strictEqual((await member.delete(`/api/v1/keys/${member.keyId}`)).status, 200)
    for (let request = 0; request < 20; request++)
      assert.strictEqual((await member.get("/api/v1/account", { connection: "close" })).status, 401)

    const last = await children(server.pid)
    assert.strictEqual(await server.stop(), 0)
    await waitFor("no process is left", async () => !last.some(isAlive))
  })

  it("leave no connection open when one of them is killed, and a new one gets connections only once it can respond (ERROR-21)", async () => {
    const server = await startServer({ DATABASE_URL: await createDatabase(), PROCESSES: "2" })
    const { port } = new URL(server.baseUrl)
    const client = makeClient(server.baseUrl)
    const both = async () => processesIn((await client.get("/metrics")).text).size === 2
    await waitFor("both processes", both)

    const [victim = 0] = await children(server.pid)
    process.kill(victim, "SIGSTOP")
    let [opened, open] = [0, 0]
    const request = () => {
      const socket = connect(Number(port), "127.0.0.1")
      socket.on("error", () => {}).resume()
      socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
      socket.once("close", () => open--)
      opened++
      open++
    }
    // A process answers for its metrics before it listens, so the other one may join during these requests.
    await waitFor("responses", async () => {
      request()
      return opened >= 40 && open < opened
    })
    process.kill(victim, "SIGKILL")
    await waitFor("the end of all connections", async () => open === 0, 15_000)

    const statuses = new Set<number>()
    const complete = new AbortController()
    const requests = Array.from({ length: 4 }, async () => {
      while (!complete.signal.aborted) statuses.add((await client.get("/readyz", { connection: "close" })).status)
    })
    await waitFor("both processes again", async () => {
      const now = await children(server.pid)
      return now.length === 2 && !now.includes(victim) && (await both())
    })
    complete.abort()
    await Promise.all(requests)
    assert.deepStrictEqual([...statuses], [200])
    assert.strictEqual(await server.stop(), 0)
  })

  it("on the embedded database share it, and the last one stops it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "agent-marketplace-processes-"))
    const server = await startServer({
      DATA_DIR: `${folder}/data`,
      PROCESSES: "2",
      ADMIN_TOKEN: undefined,
      NODE_ENV: "test"
    })
    await waitFor(
      "both processes",
      async () => processesIn((await makeClient(server.baseUrl).get("/metrics")).text).size === 2
    )
    assert.strictEqual(await server.stop(), 0)
    await rm(folder, { recursive: true, force: true })
  })

  it("all processes end with the first one's exit code if the port is in use, also with the embedded database", async () => {
    const folder = await mkdtemp(join(tmpdir(), "agent-marketplace-processes-"))
    const holder = createServer().listen(0, "127.0.0.1")
    await once(holder, "listening")
    const { port } = holder.address() as AddressInfo
    const server = spawnServer({ DATA_DIR: `${folder}/data`, PORT: String(port), PROCESSES: "2" })
    assert.strictEqual(await server.ended, 1)
    assert.include(server.output(), "The port is in use by another process")
    assert.notInclude(server.output(), "is started again")
    holder.close()
    await rm(folder, { recursive: true, force: true })
  })

  it("a number that is wrong is refused with its rule, and so are several on storage in memory", async () => {
    for (const [env, rule] of [
      [{ PROCESSES: "0" }, "PROCESSES must be a whole number from 1 to 6, or auto"],
      [{ PROCESSES: "many" }, "PROCESSES must be a whole number from 1 to 6, or auto"],
      [{ PROCESSES: "7" }, "PROCESSES must be a whole number from 1 to 6, or auto"],
      [
        { DATABASE_URL: "postgres://localhost/x", PROCESSES: "65" },
        "PROCESSES must be a whole number from 1 to 64, or auto"
      ],
      [{ STORAGE: "memory", PROCESSES: "2" }, "PROCESSES must be 1 with STORAGE=memory"]
    ] as const) {
      const server = spawnServer(env)
      assert.strictEqual(await server.ended, 78)
      assert.include(server.output(), rule)
    }
  })

  it("stop with exit code 0 also while the first one starts", async () => {
    const server = spawnServer({ DATABASE_URL: await createDatabase(), PROCESSES: "2" })
    await waitFor("the first process", async () => (await children(server.pid)).length > 0)
    server.signal("SIGTERM")
    assert.strictEqual(await server.ended, 0)
  })

  it("a database that refuses the first process ends all of them with its exit code", async () => {
    const server = spawnServer({ DATABASE_URL: "postgres://127.0.0.1:1/none", PROCESSES: "2" })
    assert.strictEqual(await server.ended, 1)
    assert.include(server.output(), "The database cannot be reached")
  })
})
