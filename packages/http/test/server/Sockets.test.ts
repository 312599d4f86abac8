import { connect } from "node:net"
import { setTimeout } from "node:timers/promises"
import { afterAll, assert, describe, it } from "vitest"
import { listen } from "../fixtures/listen.ts"
import { adminToken } from "../fixtures/startMarket.ts"

const { port, raw, stop } = await listen()
afterAll(stop)

const crlf = (...lines: ReadonlyArray<string>): string => lines.join("\r\n")
const get = (path: string, ...headers: ReadonlyArray<string>) =>
  crlf(`GET ${path} HTTP/1.1`, "host: market.test", "connection: close", ...headers, "", "")
const post = (path: string, body: string, ...headers: ReadonlyArray<string>) =>
  crlf(`POST ${path} HTTP/1.1`, "host: market.test", "connection: close", ...headers, "", body)

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
const bodyOf = (answer: string) => {
  const text = answer.slice(answer.indexOf("\r\n\r\n") + 4)
  return JSON.parse(/^[0-9a-f]+\r\n/.test(text) ? (text.split("\r\n")[1] ?? "") : text)
}

const signedUp = await fetch(`http://127.0.0.1:${port}/api/v1/accounts`, {
  method: "POST",
  headers: { "content-type": "application/json", authorization: `Bearer ${adminToken}` },
  body: JSON.stringify({ name: "Ada" })
})
const { data } = (await signedUp.json()) as { readonly data: { readonly apiKey: { readonly key: string } } }
const key = `authorization: Bearer ${data.apiKey.key}`
const json = "content-type: application/json"

describe("bytes that are not a valid request (ERROR-1)", () => {
  const cases: ReadonlyArray<readonly [string, string | Uint8Array, number]> = [
    ["nonsense", "nonsense\r\n\r\n", 400],
    ["an unknown protocol", "GET / HTTP/9.9\r\n\r\n", 400],
    ["no host", "GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n", 400],
    ["two lengths", post("/api/v1/agents/claim", "{}", key, json, "content-length: 2", "content-length: 3"), 400],
    ["an invalid length", post("/api/v1/agents/claim", "{}", key, json, "content-length: x"), 400],
    ["a negative length", post("/api/v1/agents/claim", "{}", key, json, "content-length: -1"), 400],
    ["length and chunks", post("/x", "0\r\n\r\n", json, "content-length: 5", "transfer-encoding: chunked"), 400],
    ["a broken chunk", post("/api/v1/agents/claim", "zz\r\n{}\r\n", key, json, "transfer-encoding: chunked"), 400],
    ["a header without a name", get("/healthz", ": x"), 400],
    ["a NUL in a header", get("/healthz", "x-a: a\0b"), 400],
    ["headers of 20 kB", get("/healthz", `x-a: ${"a".repeat(20_000)}`), 431],
    ["a path of 20 kB", get(`/${"a".repeat(20_000)}`), 431],
    ["an unknown method", crlf("BREW /healthz HTTP/1.1", "host: a", "", ""), 400]
  ]
  for (const [name, bytes, status] of cases) {
    it(`${name}: ${status} in the general envelope with X-Request-Id`, async () => {
      const answer = await raw(bytes)
      assert.strictEqual(statusOf(answer), status, answer)
      assert.match(answer, /x-request-id: [0-9a-f-]{36}/i)
      assert.deepStrictEqual(Object.keys(bodyOf(answer)), ["success", "error"])
    })
  }

  it("raw bytes above ASCII in a path are 400 in an envelope", async () => {
    const answer = await raw(Buffer.from(get("/api/v1/skills/caf\xe9", key), "latin1"))
    assert.strictEqual(statusOf(answer), 400, answer)
    assert.strictEqual(bodyOf(answer).error.code, "VALIDATION_ERROR")
  })

  it("an unknown expectation does not change the response", async () => {
    const answer = await raw(get("/healthz", "expect: a-miracle"))
    assert.strictEqual(statusOf(answer), 200, answer)
    assert.match(answer, /x-request-id: [0-9a-f-]{36}/i)
  })

  it("Authorization sent twice is INVALID_API_KEY", async () => {
    const answer = await raw(get("/api/v1/account", key, key))
    assert.strictEqual(statusOf(answer), 401)
    assert.strictEqual(bodyOf(answer).error.code, "INVALID_API_KEY")
  })

  it("Idempotency-Key sent twice is a VALIDATION_ERROR at its header, reported together with the other issues", async () => {
    const twice = ["idempotency-key: a", "idempotency-key: b"]
    const answer = await raw(post("/api/v1/purchases", '{"skillId":123}', key, json, "content-length: 15", ...twice))
    assert.deepStrictEqual(bodyOf(answer).error.details.issues, [
      { path: "idempotency-key", message: "must be given once" },
      { path: "skillId", message: "must be a string" }
    ])
  })

  it("text after a semicolon is not a query, so such a path is not found", async () => {
    assert.strictEqual(statusOf(await raw(get("/healthz;a=b"))), 404)
    assert.strictEqual(statusOf(await raw(get("/healthz?a=1;b=2"))), 200)
  })

  it("a method of HTTP that no route has is 405, and an unknown path with it 404", async () => {
    assert.strictEqual(
      statusOf(await raw(crlf("PROPFIND /api/souls HTTP/1.1", "host: a", "connection: close", "", ""))),
      405
    )
    assert.strictEqual(
      statusOf(await raw(crlf("PURGE /nothing HTTP/1.1", "host: a", "connection: close", "", ""))),
      404
    )
  })
})

describe("bodies on a socket (ERROR-16)", () => {
  it("a length over the limit is refused before a byte of the body is sent", async () => {
    const answer = await raw(post("/api/v1/agents/claim", "", key, json, "content-length: 2000000"))
    assert.strictEqual(statusOf(answer), 413)
    assert.strictEqual(bodyOf(answer).error.code, "PAYLOAD_TOO_LARGE")
  })

  it("a client that sends all of a body over the limit before it reads anything gets its refusal", async () => {
    const length = 24_000_000
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1")
      const text = post("/api/v1/agents/claim", " ".repeat(length), key, json, `content-length: ${length}`)
      socket.on("error", reject)
      socket.write(text, (failure) => {
        if (failure instanceof Error) return reject(failure)
        socket.setEncoding("utf8")
        socket.once("data", (part: string) => {
          socket.destroy()
          resolve(part)
        })
      })
    })
    assert.strictEqual(statusOf(answer), 413)
  })

  it("a client that takes more than a second to send a body over the limit can send all of it and gets its refusal", async () => {
    const part = " ".repeat(200_000)
    const socket = connect(port, "127.0.0.1")
    const failures: Array<Error> = []
    socket.on("error", (error) => failures.push(error))
    socket.write(post("/api/v1/agents/claim", "", key, json, `content-length: ${part.length * 12}`))
    for (let i = 0; i < 12; i++) {
      await setTimeout(100)
      socket.write(part)
    }
    socket.setEncoding("utf8")
    const answer = await new Promise<string>((resolve) => {
      socket.once("data", (text: string) => resolve(text))
      socket.once("close", () => resolve(""))
      if (socket.closed) resolve("")
    })
    socket.destroy()
    assert.deepStrictEqual(failures, [])
    assert.strictEqual(statusOf(answer), 413)
  })

  it("chunks over the limit are refused while they still arrive", async () => {
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`
    const answer = await raw(post("/api/v1/agents/claim", chunk.repeat(20), key, json, "transfer-encoding: chunked"))
    assert.strictEqual(statusOf(answer), 413, answer.slice(0, 200))
  })

  it("a body that ends before its length does not harm the server", async () => {
    await raw(post("/api/v1/agents/claim", '{"claim', key, json, "content-length: 100"), { end: true }).catch(() => "")
    assert.strictEqual(statusOf(await raw(get("/healthz"))), 200)
  })

  it("one connection serves many requests, also after refusals", async () => {
    const bad = post("/api/v1/agents/claim", "{", key, json, "content-length: 1").replace("connection: close\r\n", "")
    const good = get("/healthz").replace("connection: close\r\n", "")
    const answer = await raw(bad + good + bad + get("/healthz"))
    assert.deepStrictEqual(
      [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status),
      ["400", "200", "400", "200"]
    )
  })
})
