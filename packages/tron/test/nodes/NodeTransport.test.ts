import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Result } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { bytesOf, longestAnswer, postToNode } from "../../src/nodes/NodeTransport.ts"

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A node that answers like that, and its connections. */
const nodeThat = (answer: Answer) =>
  Effect.gen(function* () {
    const sockets: Array<Socket> = []
    const server = createServer((request, response) => {
      request.resume().on("end", () => answer(response, request))
    })
    server.on("connection", (socket) => sockets.push(socket))
    yield* Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done)))
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close().closeAllConnections()))
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/wallet/getblock`, sockets }
  })

const post = (url: string, limit = 60_000, headers: Record<string, string> = {}) =>
  Effect.result(
    Effect.flatMap(postToNode(url, { num: 1 }, headers, limit), (response) => Effect.fromResult(bytesOf(response)))
  )

/** The answer's text, or the reason why there is none. */
const answerTo = (answer: Answer, limit?: number) =>
  Effect.gen(function* () {
    const { url } = yield* nodeThat(answer)
    const result = yield* post(url, limit)
    return Result.isSuccess(result) ? result.success.toString("utf8") : result.failure.reason
  })

const compressed =
  (bytes: Buffer): Answer =>
  (response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(bytes)
  }

describe("requests to a node (CHAIN-11)", () => {
  const long = "block ".repeat(100_000)
  const answers: Readonly<Record<string, readonly [Answer, expected: string]>> = {
    "an answer in several parts": [
      (response) => {
        response.write(long)
        response.end("end")
      },
      `${long}end`
    ],
    "a compressed answer": [compressed(gzipSync(long)), long],
    "a compressed answer that is not complete": [compressed(gzipSync(long).subarray(0, -20)), "not reached"],
    "an answer that is not compressed as it says": [compressed(Buffer.from("{}")), "not reached"],
    "a redirect": [(response) => response.writeHead(307, { location: "/" }).end(), "status 307"],
    "no answer but the end of the connection": [(response) => response.destroy(), "not reached"],
    "an answer that breaks off": [
      (response) => {
        response.writeHead(200, { "content-length": "10" }).write("[1,")
        setTimeout(() => response.destroy(), 20)
      },
      "not reached"
    ],
    "an answer that is too long": [
      (response) => {
        const part = Buffer.alloc(2 ** 20, 0x20)
        const more = () => {
          while (!response.destroyed && response.write(part));
        }
        response.on("drain", more)
        more()
      },
      "the answer is too long"
    ],
    "a short answer that becomes too long": [
      compressed(gzipSync(Buffer.alloc(longestAnswer + 1, 0x20))),
      "the answer is too long"
    ]
  }
  for (const [name, [answer, expected]] of Object.entries(answers)) {
    it.effect(name, () => Effect.map(answerTo(answer), (found) => assert.strictEqual(found, expected)))
  }

  for (const [name, answer] of Object.entries<Answer>({
    "an answer that never starts": () => undefined,
    "an answer that never ends": (response) => response.writeHead(200).write("[")
  })) {
    it.effect(`${name} is given up, and its connection closed`, () =>
      Effect.gen(function* () {
        const { sockets, url } = yield* nodeThat(answer)
        const result = yield* post(url, 50)
        assert.strictEqual(Result.isFailure(result) && result.failure.reason, "no answer")
        yield* Effect.promise(() => closed(sockets))
      })
    )
  }

  it.effect("an interruption closes the connection", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const { sockets, url } = yield* nodeThat(() => Deferred.doneUnsafe(asked, Exit.void))
      const running = yield* Effect.forkChild(post(url))
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(running)
      yield* Effect.promise(() => closed(sockets))
    })
  )

  it.effect("requests one after the other use connections again", () =>
    Effect.gen(function* () {
      const { sockets, url } = yield* nodeThat((response) => response.end("{}"))
      for (let i = 0; i < 5; i++) assert.isTrue(Result.isSuccess(yield* post(url)))
      assert.isBelow(sockets.length, 3)
    })
  )

  it.effect("a URL or a header that no request can have is a failure", () =>
    Effect.gen(function* () {
      const { url } = yield* nodeThat((response) => response.end("{}"))
      for (const result of [
        yield* post("not a URL"),
        yield* post("ftp://127.0.0.1/"),
        yield* post(url, 60_000, { "TRON-PRO-API-KEY": "a\nb" })
      ])
        assert.strictEqual(Result.isFailure(result) && result.failure.reason, "not reached")
    })
  )
})

const closed = (sockets: ReadonlyArray<Socket>): Promise<unknown> => {
  assert.isAbove(sockets.length, 0)
  return Promise.all(sockets.map((socket) => socket.closed || new Promise((done) => socket.once("close", done))))
}
