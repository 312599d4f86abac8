import type { SendOutcome } from "@agent-marketplace/core/webhooks/WebhookTransport"
import {
  answers,
  dribbles,
  floods,
  hangs,
  resets,
  startReceiver
} from "@agent-marketplace/fixtures/webhooks/startReceiver"
import type { Behaviour, Receiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { testCertificate } from "@agent-marketplace/fixtures/webhooks/testCertificate"
import { afterAll, assert, describe, it } from "vitest"
import type { NameResolver } from "../src/NameResolver.ts"
import { postToReceiver } from "../src/postToReceiver.ts"
import { makeReceiverAgents } from "../src/ReceiverAgents.ts"
import type { ReceiverAgents } from "../src/ReceiverAgents.ts"

const noNames: NameResolver = () => Promise.reject(new Error("nothing was to be looked up"))

const ends: Array<() => unknown> = []
afterAll(async () => {
  for (const end of ends) await end()
})

const agents = (options: Partial<Parameters<typeof makeReceiverAgents>[0]> = {}): ReceiverAgents => {
  const made = makeReceiverAgents({ access: "any", resolve: noNames, ...options })
  ends.push(made.close)
  return made
}

const local = agents()

const receiver = async (behave: Behaviour, options?: { readonly tls?: boolean }): Promise<Receiver> => {
  const started = await startReceiver(behave, options)
  ends.push(started.close)
  return started
}

const body = JSON.stringify({ event: "webhook.test", text: "naïve ✓" })

const post = (url: string, through = local, timeoutMs = 5000): Promise<SendOutcome> =>
  new Promise((resolve) => {
    postToReceiver(
      through,
      { url, headers: { "content-type": "application/json", "x-a": "b" }, body, timeoutMs },
      resolve
    )
  })

const statusOf = (outcome: SendOutcome) => (outcome._tag === "Answered" ? outcome.statusCode : null)
const bodyOf = (outcome: SendOutcome) => (outcome._tag === "Answered" ? outcome.body : "")
const errorOf = (outcome: SendOutcome) => (outcome._tag === "Failed" ? outcome.error : "")

describe("one attempt at a receiver (DELIVERY-6)", () => {
  it("posts the exact bytes and headers, and returns status and body", async () => {
    const healthy = await receiver(answers(202, "thank you"))
    const answer = await post(`${healthy.url}?a=1`)
    assert.deepInclude(answer, { _tag: "Answered", statusCode: 202, body: "thank you", retryAfter: null })
    assert.isAtLeast(answer.durationMs, 0)
    const [got] = healthy.received
    assert.deepInclude(got, { path: "/hook?a=1", method: "POST", body })
    assert.strictEqual(got?.headers["x-a"], "b")
    assert.strictEqual(got?.headers["content-length"], String(Buffer.byteLength(body)))
    assert.strictEqual(got?.headers.host, `127.0.0.1:${healthy.port}`)
  })

  it("keeps the connection for the next request", async () => {
    const healthy = await receiver(answers(200, "ok"))
    for (let i = 0; i < 5; i++) assert.strictEqual(statusOf(await post(healthy.url)), 200)
    assert.strictEqual(healthy.connections(), 1)
  })

  it("returns 500, 410 and Retry-After", async () => {
    const failing = await receiver(answers(500, "oh"))
    assert.deepInclude(await post(failing.url), { statusCode: 500, body: "oh" })
    const gone = await receiver(answers(410))
    assert.deepInclude(await post(gone.url), { statusCode: 410, body: "" })
    const busy = await receiver(answers(503, "", { "retry-after": "120" }))
    assert.deepInclude(await post(busy.url), { statusCode: 503, retryAfter: "120" })
  })

  it("follows no redirect", async () => {
    const elsewhere = await receiver(answers(200))
    for (const status of [301, 302, 303, 307, 308]) {
      const redirecting = await receiver(answers(status, "", { location: elsewhere.url }))
      assert.strictEqual(statusOf(await post(redirecting.url)), status)
    }
    assert.lengthOf(elsewhere.received, 0)
  })

  it("ends at the timeout without a response, and with a response head that arrives byte by byte", async () => {
    for (const behaviour of [hangs, dribbles("head")]) {
      const slow = await receiver(behaviour)
      const started = performance.now()
      const answer = await post(slow.url, local, 400)
      assert.deepInclude(answer, { _tag: "Failed", error: "no response within 0.4 s" })
      assert.isBelow(performance.now() - started, 10_000)
    }
  })

  it("returns the status at the timeout if the body arrives byte by byte", async () => {
    const slow = await receiver(dribbles("body"))
    const started = performance.now()
    const answer = await post(slow.url, local, 400)
    assert.deepInclude(answer, { statusCode: 200 })
    assert.match(bodyOf(answer), /^so slowx*$/)
    assert.isBelow(performance.now() - started, 10_000)
  })

  it("keeps 2,048 characters of a 100 MB body and reads no further (DELIVERY-11)", async () => {
    let sent = () => 0
    const flooding = await receiver((response, request) => {
      sent = () => request.socket.bytesWritten
      return floods(200, 100_000_000)(response, request)
    })
    const answer = await post(flooding.url)
    assert.deepInclude(answer, { statusCode: 200, body: "x".repeat(2048) })
    assert.isBelow(sent(), 50_000_000)
  })

  it("counts characters, not bytes, splits none, and drops NUL", async () => {
    const many = await receiver(answers(200, "🎉".repeat(3000)))
    assert.strictEqual(bodyOf(await post(many.url)), "🎉".repeat(2048))
    const odd = await receiver(answers(200, "a\0b"))
    assert.strictEqual(bodyOf(await post(odd.url)), "ab")
    const broken = await receiver((response) => void response.end(Buffer.from([0x61, 0xff, 0x62])))
    assert.strictEqual(bodyOf(await post(broken.url)), "a\uFFFDb")
  })

  it("reports a reset, a refused connection, and a response that is not HTTP", async () => {
    const rude = await receiver(resets)
    assert.deepInclude(await post(rude.url), { _tag: "Failed", error: "the connection was reset" })
    const gone = await startReceiver(answers(200))
    await gone.close()
    assert.deepInclude(await post(gone.url), { _tag: "Failed", error: "the connection was refused" })
    const other = await receiver((_, { socket }) => void socket.end("220 mail.example ESMTP\r\n"))
    assert.deepInclude(await post(other.url), { _tag: "Failed", error: "the response is not HTTP" })
  })

  it("treats a reset after the status as the end of the response", async () => {
    const half = await receiver((response, { socket }) => {
      response.writeHead(200, { "content-length": "100" })
      response.write("half", () => void socket.resetAndDestroy())
    })
    assert.deepInclude(await post(half.url), { statusCode: 200, body: "half" })
  })

  it("retries immediately if a reused connection was closed while idle", async () => {
    const closing = await receiver((response, { socket }) => {
      if (closing.received.length === 2) return void socket.destroy()
      response.end("ok")
    })
    assert.strictEqual(statusOf(await post(closing.url)), 200)
    assert.strictEqual(statusOf(await post(closing.url)), 200)
    assert.lengthOf(closing.received, 3)
  })

  it("can be cancelled", async () => {
    const slow = await receiver(hangs)
    const answered: Array<SendOutcome> = []
    const cancel = postToReceiver(local, { url: slow.url, headers: {}, body, timeoutMs: 50 }, (answer) =>
      answered.push(answer)
    )
    cancel()
    assert.strictEqual(statusOf(await post(slow.url, local, 150)), null)
    assert.lengthOf(answered, 0)
  })
})

describe("TLS and names (WEBHOOK-9)", () => {
  const named = (port: number) => `https://receiver.example:${port}/hook`

  it("refuses and reports a certificate that no known authority has signed", async () => {
    const secure = await receiver(answers(200), { tls: true })
    const answer = await post(secure.url)
    assert.deepInclude(answer, { _tag: "Failed", error: "the certificate is not signed by a known authority" })
    assert.lengthOf(secure.received, 0)
  })

  it("accepts a certificate for the name of the URL, and refuses one for another name", async () => {
    const secure = await receiver(answers(200), { tls: true })
    const trusting = agents({ ca: testCertificate.cert })
    assert.strictEqual(statusOf(await post(secure.url, trusting)), 200)
    const answer = await post(`https://localhost:${secure.port}/hook`, trusting)
    assert.deepInclude(answer, { _tag: "Failed", error: "the certificate is for another name" })
    assert.lengthOf(secure.received, 1)
  })

  it("connects only to the checked address, and not at all if it is private", async () => {
    const secure = await receiver(answers(200), { tls: true })
    const asked: Array<string> = []
    const guarded = agents({
      access: "public",
      ca: testCertificate.cert,
      resolve: (name) => Promise.resolve((asked.push(name), ["127.0.0.1"]))
    })
    const answer = await post(named(secure.port), guarded)
    assert.strictEqual(statusOf(answer), null)
    assert.match(errorOf(answer), /^the URL must not lead to a private/)
    assert.deepStrictEqual(asked, ["receiver.example"])
    assert.strictEqual(secure.connections(), 0)
  })

  it("is safe against a name that resolves differently the second time", async () => {
    const secure = await receiver(answers(200), { tls: true })
    const replies = [["8.8.8.8"], ["127.0.0.1"], ["127.0.0.1"]]
    let asked = 0
    const resolve: NameResolver = () => Promise.resolve(replies[asked++] ?? [])
    const guarded = agents({ access: "public", ca: testCertificate.cert, resolve })
    await resolve("receiver.example")
    const answer = await post(named(secure.port), guarded)
    assert.match(errorOf(answer), /^the URL must not lead to a private/)
    assert.strictEqual(asked, 2)
    assert.strictEqual(secure.connections(), 0)
  })

  it("refuses private addresses and plain HTTP without a look-up or a connection", async () => {
    const plain = await receiver(answers(200))
    const guarded = agents({ access: "public" })
    for (const url of [plain.url, `https://127.0.0.1:${plain.port}/`, `https://[::ffff:7f00:1]:${plain.port}/`]) {
      assert.match(errorOf(await post(url, guarded)), /^the URL must/)
    }
    assert.strictEqual(plain.connections(), 0)
  })

  it("reports a name that does not resolve", async () => {
    const guarded = agents({
      access: "public",
      resolve: () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }))
    })
    assert.strictEqual(errorOf(await post("https://receiver.example/", guarded)), "the name does not resolve")
  })
})
