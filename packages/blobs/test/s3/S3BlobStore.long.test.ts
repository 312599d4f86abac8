import { BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { blobStoreContract } from "@agent-marketplace/testkit/blobs/BlobStoreContract"
import { Effect, Layer, Redacted, Stream } from "effect"
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { S3BlobStore } from "../../src/s3/S3BlobStore.ts"

const bucket = "releases"

let port = 0
let folder = ""
let s3: ChildProcess

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "s3-"))
  const program = fileURLToPath(new URL("../fixtures/s3Server.ts", import.meta.url))
  const child = spawn(process.execPath, [program, folder, bucket], { stdio: ["ignore", "pipe", "inherit"] })
  s3 = child
  const [line] = (await once(child.stdout, "data")) as [Buffer]
  port = Number(line.toString())
})
afterAll(async () => {
  s3.kill("SIGKILL")
  await once(s3, "exit")
  await rm(folder, { recursive: true, force: true })
})

const settings = (change: { endpoint?: string; bucket?: string; secret?: string } = {}) => ({
  endpoint: change.endpoint ?? `http://127.0.0.1:${port}`,
  region: "us-east-1",
  bucket: change.bucket ?? bucket,
  prefix: "blobs/",
  accessKeyId: "S3RVER",
  secretAccessKey: Redacted.make(change.secret ?? "S3RVER")
})

blobStoreContract("s3", Layer.unwrap(Effect.sync(() => S3BlobStore.layer(settings()))), { constantMemory: true })

const bytes = randomBytes(300_000)
const sha256 = Sha256.make(createHash("sha256").update(bytes).digest("hex"))

const within = <A, E>(change: Parameters<typeof settings>[0], effect: Effect.Effect<A, E, BlobStore>) =>
  Effect.suspend(() => Effect.provide(effect, Layer.fresh(S3BlobStore.layer(settings(change)))))

interface Failure {
  readonly _tag: string
  readonly cause?: unknown
}

const causeOf = <A>(effect: Effect.Effect<A, Failure>): Effect.Effect<string> =>
  Effect.match(effect, {
    onFailure: ({ _tag, cause }) => `${_tag}: ${String(cause)}`,
    onSuccess: () => "succeeded"
  })

type Attempt = Effect.Effect<unknown, Failure>

const attempts = (store: BlobStore["Service"]) => {
  const all: { readonly [K in "put" | "stat" | "read" | "remove" | "check"]: Attempt } = {
    put: store.put(sha256, bytes.length, Stream.make(bytes)),
    stat: store.stat(sha256),
    read: Stream.runDrain(store.read(sha256)),
    remove: store.remove(sha256),
    check: store.check
  }
  return all
}

describe("a bucket of blobs (BLOB-11)", () => {
  it.live("a wrong secret and a missing bucket are reported as unavailable, without the secret (BLOB-7)", () =>
    Effect.gen(function* () {
      const secret = "not-the-secret-of-this-storage"
      yield* within(
        { secret },
        Effect.gen(function* () {
          for (const [name, attempt] of Object.entries(attempts(yield* BlobStore))) {
            const cause = yield* causeOf(attempt)
            assert.match(cause, /^StoreUnavailable: the storage of blobs answered 403/, name)
            assert.notInclude(cause, secret)
          }
        })
      )
      yield* within(
        { bucket: "no-such-bucket" },
        Effect.gen(function* () {
          const { check, put, read } = attempts(yield* BlobStore)
          assert.include(yield* causeOf(check), "answered 404")
          assert.include(yield* causeOf(put), "answered 404 NoSuchBucket")
          assert.include(yield* causeOf(read), "answered 404 NoSuchBucket")
        })
      )
    })
  )

  it.live("a storage that cannot be reached is unavailable within seconds (BLOB-7)", () =>
    within(
      { endpoint: "http://127.0.0.1:1" },
      Effect.gen(function* () {
        const started = performance.now()
        for (const attempt of Object.values(attempts(yield* BlobStore)))
          assert.include(yield* causeOf(attempt), "cannot be reached")
        assert.isBelow(performance.now() - started, 10_000)
      })
    )
  )
})

/** A storage that answers as the test says. */
const scripted = (respond: (request: IncomingMessage, response: ServerResponse, count: number) => void) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly server: Server; readonly endpoint: string }>((resolve) => {
          let count = 0
          const server = createServer((request, response) => respond(request, response, ++count))
          server.listen(0, "127.0.0.1", () =>
            resolve({ server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
          )
        })
    ),
    ({ server }) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.closeAllConnections()
            server.close(() => resolve())
          })
      )
  )

/** What a request reports whose three attempts are never answered. They take 15 seconds, so it runs during the other tests. */
const sendUnanswered = Effect.gen(function* () {
  const { endpoint } = yield* scripted(() => {})
  return yield* within(
    { endpoint },
    Effect.flatMap(BlobStore, (store) => causeOf(store.stat(sha256)))
  )
}).pipe(Effect.scoped)

let unanswered: Promise<string>
beforeAll(() => {
  unanswered = Effect.runPromise(sendUnanswered)
})

describe("a storage with faults (BLOB-11)", () => {
  it.live("is tried again after 503 and after a lost connection, with the whole body", () =>
    Effect.gen(function* () {
      const received: Array<Buffer> = []
      const { endpoint } = yield* scripted((request, response, count) => {
        if (request.method === "HEAD") return void response.writeHead(404).end()
        if (count === 2) return void request.socket.destroy()
        if (count === 3) return void response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>")
        const parts: Array<Buffer> = []
        request.on("data", (part: Buffer) => parts.push(part))
        request.on("end", () => {
          received.push(Buffer.concat(parts))
          assert.strictEqual(request.headers["x-amz-content-sha256"], sha256)
          assert.strictEqual(request.headers["content-length"], String(bytes.length))
          response.writeHead(200).end()
        })
      })
      yield* within(
        { endpoint },
        Effect.flatMap(BlobStore, (store) => store.put(sha256, bytes.length, Stream.make(bytes)))
      )
      assert.lengthOf(received, 1)
      assert.isTrue(received[0]?.equals(bytes))
    }).pipe(Effect.scoped)
  )

  it.live("that breaks off, ignores a range, redirects or keeps failing is unavailable", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* scripted((request, response) => {
        const range = request.headers["range"]
        if (request.method === "HEAD") return void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()
        if (range !== undefined) return void response.writeHead(200).end(bytes)
        response.writeHead(200, { "content-length": String(bytes.length) })
        response.write(bytes.subarray(0, 100_000), () => request.socket.destroy())
      })
      yield* within(
        { endpoint },
        Effect.gen(function* () {
          const store = yield* BlobStore
          assert.include(yield* causeOf(Stream.runDrain(store.read(sha256))), "broke off in the middle")
          assert.include(yield* causeOf(Stream.runDrain(store.read(sha256, { start: 5, end: 9 }))), "answered 200")
          assert.include(yield* causeOf(store.stat(sha256)), "answered 302")
        })
      )
    }).pipe(Effect.scoped)
  )

  it.live("a reader that stops early frees its connection (BLOB-3)", () =>
    Effect.gen(function* () {
      const { endpoint, server } = yield* scripted((_, response) => {
        response.writeHead(200, { "content-length": "1000000000" })
        const more = () => {
          if (!response.destroyed) response.write(bytes, more)
        }
        more()
      })
      yield* within(
        { endpoint },
        Effect.gen(function* () {
          const store = yield* BlobStore
          for (let n = 0; n < 5; n++) yield* Stream.runHead(store.read(sha256))
          const open = Effect.promise(
            () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
          )
          yield* Effect.repeat(open, { until: (count) => count === 0 })
        })
      )
    }).pipe(Effect.scoped)
  )

  it.live("that accepts connections and never answers is unavailable within seconds", () =>
    Effect.gen(function* () {
      const cause = yield* Effect.promise(() => unanswered)
      assert.include(cause, "did not answer in time")
    })
  )
})
