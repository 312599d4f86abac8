import { connect } from "node:net"
import type { Socket } from "node:net"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { listen } from "../fixtures/listen.ts"
import { adminToken } from "../fixtures/startMarket.ts"

const headers = ["host: market.test", `authorization: Bearer ${adminToken}`, "content-type: application/json"]
const request = (line: string, ...more: ReadonlyArray<string>): string =>
  [`${line} HTTP/1.1`, ...headers, ...more, "", ""].join("\r\n")
const createAccount = (body: string): string =>
  `${request("POST /api/v1/accounts", `content-length: ${body.length}`)}${body}`

const statusesOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = ""]) => status)

/** Sends the head and then a little of the body every 20 ms, until the connection is gone. */
const sendSlowly = async (port: number, head: string) => {
  const socket: Socket = connect(port, "127.0.0.1")
  const received = { text: "" }
  socket.setEncoding("utf8")
  socket.on("data", (part: string) => (received.text += part))
  socket.on("error", () => {})
  socket.write(head)
  const timer = setInterval(() => socket.write(" "), 20)
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(received.text)))
  void closed.then(() => clearInterval(timer))
  while (received.text === "" && socket.bytesWritten < head.length + 5) await setTimeout(5)
  return { closed, received }
}

const account = (name: string) => JSON.stringify({ name })

describe("a server that closes while a client sends its body slowly", () => {
  it("does not wait for a client whose request it has refused (ERROR-16)", async () => {
    const server = await listen()
    const sender = await sendSlowly(server.port, request("POST /api/v1/accounts", "content-length: 3000000"))
    while (sender.received.text === "") await setTimeout(5)
    const start = performance.now()
    await server.stop()
    assert.isBelow(performance.now() - start, 3000)
    assert.deepStrictEqual(statusesOf(await sender.closed), ["413"])
  })

  it("closes the connection of a client whose request has not arrived when its patience ends", async () => {
    const server = await listen({}, 300)
    const sender = await sendSlowly(server.port, request("POST /api/v1/accounts", "content-length: 3000"))
    const start = performance.now()
    await server.stop()
    assert.isBelow(performance.now() - start, 3000)
    await sender.closed
  })
})

describe("requests after a refused body on one connection (ERROR-16)", () => {
  const inner = createAccount(account("Inner"))

  const namesOf = async (port: number): Promise<ReadonlyArray<string>> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/admin/accounts`, {
      headers: { authorization: `Bearer ${adminToken}` }
    })
    const { data } = (await response.json()) as { readonly data: ReadonlyArray<{ readonly name: string }> }
    return data.map(({ name }) => name)
  }

  it("the bytes of a refused body are never parsed as a request; the next request is the one after the body", async () => {
    const server = await listen()
    const refused = request("POST /api/v1/nothing", `content-length: ${inner.length * 2}`)
    const answer = await server.raw(
      refused + inner + inner + createAccount(account("Next")) + request("GET /healthz", "connection: close")
    )
    assert.deepStrictEqual(statusesOf(answer), ["404", "201", "200"])
    assert.deepStrictEqual(await namesOf(server.port), ["Next"])
    await server.stop()
  })

  it("after a refusal that announces the end of the connection, no request behind it is executed", async () => {
    const server = await listen()
    const repeated = inner.repeat(Math.ceil(2_000_000 / inner.length))
    const refused = request("POST /api/v1/accounts", `content-length: ${repeated.length}`)
    const answer = await server.raw(refused + repeated + createAccount(account("Next")))
    assert.deepStrictEqual(statusesOf(answer), ["413"])
    assert.match(answer, /connection: close/i)
    assert.deepStrictEqual(await namesOf(server.port), [])
    await server.stop()
  })
})
