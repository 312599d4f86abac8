import { TestAuthority } from "@agent-marketplace/fixtures/tls/TestAuthority"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { createServer as createSecureServer, globalAgent } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { bytesOf, longestResponse, postToNode } from "../../src/nodes/NodeTransport.ts"

type Respond = (response: ServerResponse, request: IncomingMessage, body: string) => void

/** A server with this response, and its connections. */
const nodeThat = (respond: Respond, listenWith: (listener: RequestListener) => Server = createServer) =>
  Effect.gen(function* () {
    const sockets: Array<Socket> = []
    const server = listenWith((request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
      request.on("end", () => respond(response, request, body))
    })
    server.on("connection", (socket) => sockets.push(socket))
    yield* Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done)))
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close().closeAllConnections()))
    return { port: (server.address() as AddressInfo).port, sockets }
  })

const closed = (sockets: ReadonlyArray<Socket>) =>
  Effect.promise(() => {
    assert.isAbove(sockets.length, 0)
    return Promise.all(sockets.map((socket) => socket.closed || new Promise((done) => socket.once("close", done))))
  })

/** The text of the response, or the reason why there is none. */
const post = (url: string, limit = 60_000, headers: Record<string, string> = {}) =>
  postToNode(url, { num: 1 }, headers, limit).pipe(
    Effect.flatMap((response) => Effect.fromResult(bytesOf(response))),
    Effect.match({ onSuccess: (bytes) => bytes.toString("utf8"), onFailure: ({ reason }) => reason })
  )

const urlOf = (port: number) => `http://127.0.0.1:${port}/wallet/getblock`

const encoded =
  (bytes: () => Buffer, encoding = "gzip", status = 200): Respond =>
  (response) =>
    response.writeHead(status, { "content-encoding": encoding }).end(bytes())

const long = "block ".repeat(100_000)
const zipped = () => gzipSync(long)
const tooLong = "the response has more than 16 MB"
const notGzip = "the response is not valid gzip"

describe("requests to a node (CHAIN-11)", () => {
  const responses: Readonly<Record<string, readonly [Respond, expected: string]>> = {
    "in several parts": [
      (response) => {
        response.write(long)
        response.end("end")
      },
      `${long}end`
    ],
    "that is compressed": [encoded(zipped), long],
    "that is compressed, with the name in capitals": [encoded(zipped, "X-GZIP"), long],
    "that is not compressed, and says so": [encoded(() => Buffer.from("{}"), "identity"), "{}"],
    "that is compressed in an unknown way": [encoded(zipped, "br"), "the response has an unknown content-encoding"],
    "that is compressed and not complete": [encoded(() => zipped().subarray(0, -20)), notGzip],
    "that claims gzip but is not compressed": [encoded(() => Buffer.from("{}")), notGzip],
    "with status 404 that claims gzip": [encoded(() => Buffer.alloc(0), "gzip", 404), "status 404"],
    "that is a redirect": [(response) => response.writeHead(307, { location: "/" }).end(), "status 307"],
    "that is none: the connection closes": [(response) => response.destroy(), "not reached (ECONNRESET)"],
    "that breaks off": [
      (response) => {
        response.writeHead(200, { "content-length": "10" })
        response.write("[1,", () => response.destroy())
      },
      "the response broke off"
    ]
  }
  for (const [name, [respond, expected]] of Object.entries(responses)) {
    it.effect(`a response ${name}`, () =>
      Effect.gen(function* () {
        const { port } = yield* nodeThat(respond)
        assert.strictEqual(yield* post(urlOf(port)), expected)
      })
    )
  }

  const endless =
    (part: Buffer, start: Buffer, encoding: string): Respond =>
    (response) => {
      response.writeHead(200, { "content-encoding": encoding }).write(start)
      const more = () => {
        while (!response.destroyed && response.write(part));
      }
      response.on("drain", more)
      more()
    }
  const stopped: Readonly<Record<string, readonly [Respond, expected: string, limit: number]>> = {
    "that is too long": [endless(Buffer.alloc(2 ** 20, 0x20), Buffer.from("["), "identity"), tooLong, 60_000],
    "that is too long when decompressed": [
      encoded(() => gzipSync(Buffer.alloc(longestResponse + 1, 0x20))),
      tooLong,
      60_000
    ],
    "that continues after its compressed end": [endless(Buffer.alloc(2 ** 20), zipped(), "gzip"), tooLong, 60_000],
    "that never ends after its compressed end": [
      (response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).write(Buffer.concat([zipped(), Buffer.alloc(1)])),
      "no response in time",
      1000
    ],
    "with another protocol": [
      (response) => response.socket?.write("HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n"),
      "status 101",
      60_000
    ],
    "that never starts": [() => undefined, "no response in time", 1000],
    "that never ends": [(response) => response.writeHead(200).write("["), "no response in time", 1000]
  }
  for (const [name, [respond, expected, limit]] of Object.entries(stopped)) {
    it.effect(`a response ${name} is not awaited, and its connection is closed`, () =>
      Effect.gen(function* () {
        const { port, sockets } = yield* nodeThat(respond)
        assert.strictEqual(yield* post(urlOf(port), limit), expected)
        yield* closed(sockets)
      })
    )
  }

  it.effect("an interruption closes the connection", () =>
    Effect.gen(function* () {
      const received = yield* Deferred.make<void>()
      const { port, sockets } = yield* nodeThat(() => Deferred.doneUnsafe(received, Exit.void))
      const running = yield* Effect.forkChild(post(urlOf(port)))
      yield* Deferred.await(received)
      yield* Fiber.interrupt(running)
      yield* closed(sockets)
    })
  )

  it.effect("consecutive requests reuse the connection", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* nodeThat((response) => response.end("{}"))
      for (let i = 0; i < 5; i++) assert.strictEqual(yield* post(urlOf(port)), "{}")
      assert.lengthOf(sockets, 1)
    })
  )

  it.effect("a node receives the body and the headers, with a user agent", () =>
    Effect.gen(function* () {
      const { port } = yield* nodeThat((response, { headers, method }, body) =>
        response.end(JSON.stringify([method, body, headers["user-agent"], headers["tron-pro-api-key"]]))
      )
      assert.strictEqual(
        yield* post(urlOf(port), 60_000, { "TRON-PRO-API-KEY": "the-key" }),
        JSON.stringify(["POST", '{"num":1}', "agent-marketplace", "the-key"])
      )
    })
  )

  it.effect("the certificate of an https node is checked", () =>
    Effect.gen(function* () {
      const authority = new TestAuthority()
      const { cert, key } = authority.issue("a node")
      const { port } = yield* nodeThat(
        (response) => response.end("{}"),
        (listener) => createSecureServer({ cert, key }, listener)
      )
      const url = `HTTPS://localhost:${port}/wallet/getblock`
      assert.match(yield* post(url), /^not reached \([A-Z_]+\)$/)
      const { ca } = globalAgent.options
      globalAgent.options.ca = authority.cert
      yield* Effect.addFinalizer(() => Effect.sync(() => (globalAgent.options.ca = ca)))
      assert.strictEqual(yield* post(url), "{}")
    })
  )

  it.effect("an invalid URL or header fails the request", () =>
    Effect.gen(function* () {
      const { port } = yield* nodeThat((response) => response.end("{}"))
      const invalid = "the URL or a header is invalid"
      assert.strictEqual(yield* post("not a URL"), invalid)
      assert.strictEqual(yield* post("ftp://127.0.0.1/"), invalid)
      assert.strictEqual(yield* post(urlOf(port), 60_000, { "TRON-PRO-API-KEY": "a\nb" }), invalid)
    })
  )
})
