import { distributesConnections } from "@agent-marketplace/http/server/acceptSeveral"
import { makeMarketServer } from "@agent-marketplace/http/server/MarketServer"
import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { connect } from "node:net"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"

const start = async (options: { readonly port?: number; readonly reusePort?: boolean } = {}) => {
  const server = makeMarketServer()
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen({ port: 0, host: "127.0.0.1", ...options }, resolve)
  })
  return server
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const close = (server: Server): Promise<void> => promisify(server.close.bind(server))()

/** The loopback connects at once: all of them wait in the kernel when this returns. */
const connectMany = (port: number, count: number) =>
  Array.from({ length: count }, () => connect(port, "127.0.0.1").on("error", () => {}))

describe.runIf(distributesConnections)("the listening sockets of a server", () => {
  it("accept many connections in a turn of a busy event loop (LOAD-10)", async () => {
    const server = await start()
    const count = 160
    const accepted: Array<unknown> = []
    let turns = 0
    server.on("connection", (socket) => accepted.push(socket))
    const clients = connectMany(portOf(server), count)
    while (accepted.length < count) {
      turns++
      const end = performance.now() + 5
      while (performance.now() < end);
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.isBelow(turns, count / 2)
    for (const client of clients) client.destroy()
    await close(server)
  })

  it("stay closed if the server is closed while they are opened", async () => {
    const attempt = (port: number) =>
      once(connect(port, "127.0.0.1"), "connect").then(
        () => "connected",
        (error: NodeJS.ErrnoException) => error.code
      )
    const server = makeMarketServer()
    server.listen({ port: 0, host: "127.0.0.1" })
    await once(server, "listening")
    const port = portOf(server)
    await close(server)
    const other = makeMarketServer()
    other.listen({ port, host: "127.0.0.1" })
    other.close(() => {})
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
    assert.strictEqual(await attempt(port), "ECONNREFUSED")
  })

  it("close together, after the last response on any of them", async () => {
    const server = await start()
    const port = portOf(server)
    const waiting: Array<() => void> = []
    server.on("request", (_request, response) => waiting.push(() => response.end("served")))
    const texts = Array.from({ length: 40 }, () =>
      fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())
    )
    while (waiting.length < 40) await new Promise((resolve) => setImmediate(resolve))
    let isClosed = false
    const closing = close(server).then(() => (isClosed = true))
    const late = await once(connect(port, "127.0.0.1"), "connect").catch((error: NodeJS.ErrnoException) => error.code)
    assert.strictEqual(late, "ECONNREFUSED")
    assert.isFalse(isClosed)
    for (const respond of waiting) respond()
    assert.deepStrictEqual(new Set(await Promise.all(texts)), new Set(["served"]))
    await closing
  })

  it("are refused a port on which another program, or another server like this one, listens", async () => {
    const server = await start()
    const port = portOf(server)
    const error = await start({ port }).catch((cause: NodeJS.ErrnoException) => cause.code)
    assert.strictEqual(error, "EADDRINUSE")
    await close(server)
    const next = await start({ port })
    await close(next)
  })

  it("share the port with those of another process only on request (CONFIG-15)", async () => {
    const first = await start()
    const port = portOf(first)
    const second = await start({ port, reusePort: true })
    const accepted: Array<typeof first> = []
    for (const server of [first, second]) server.on("connection", () => accepted.push(server))
    const clients = connectMany(port, 60)
    while (accepted.length < 60) await new Promise((resolve) => setImmediate(resolve))
    assert.strictEqual(new Set(accepted).size, 2)
    for (const client of clients) client.destroy()
    await Promise.all([close(first), close(second)])
  })
})
