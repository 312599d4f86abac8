import { createHash, randomBytes } from "node:crypto"
import { connect } from "node:net"
import { setTimeout } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { blobServer } from "../fixtures/blobServer.ts"

const bytes = randomBytes(900_000)
const sha256 = createHash("sha256").update(bytes).digest("hex")
let server: Awaited<ReturnType<typeof blobServer>>

beforeAll(async () => {
  server = await blobServer()
  const headers = { "content-type": "application/zip" }
  const response = await fetch(`${server.baseUrl}/upload`, { method: "POST", headers, body: bytes })
  assert.deepStrictEqual(await response.json(), { sha256, size: bytes.length, mediaType: "application/zip" })
})
afterAll(async () => {
  assert.deepStrictEqual(await server.stop(), [], "the folder of uploads is removed")
})

const get = (headers: Record<string, string> = {}, method = "GET", path = "blobs") =>
  fetch(`${server.baseUrl}/${path}/${sha256}`, { method, headers })

const quiet = async (): Promise<void> => {
  while (server.state.open > 0) await setTimeout(5)
}

describe("a download (BLOB-9)", () => {
  it("has the bytes, the digest as its ETag, and headers for caches and browsers", async () => {
    const response = await get()
    assert.strictEqual(response.status, 200)
    assert.isTrue(Buffer.from(await response.arrayBuffer()).equals(bytes))
    assert.deepInclude(Object.fromEntries(response.headers), {
      "content-type": "application/zip",
      "content-length": "900000",
      etag: `"${sha256}"`,
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache, no-transform",
      "content-disposition": 'attachment; filename="a__b___.zip"'
    })
  })

  it("answers HEAD with the same headers and reads nothing", async () => {
    await quiet()
    const before = server.state.chunks
    const response = await get({ range: "bytes=0-9" }, "HEAD")
    assert.strictEqual(response.status, 200)
    assert.strictEqual(response.headers.get("content-length"), "900000")
    assert.strictEqual(response.headers.get("etag"), `"${sha256}"`)
    assert.strictEqual(server.state.chunks, before)
  })

  it("serves one range, and the whole where several are requested", async () => {
    const part = await get({ range: "bytes=262100-262200" })
    assert.strictEqual(part.status, 206)
    assert.strictEqual(part.headers.get("content-range"), "bytes 262100-262200/900000")
    assert.strictEqual(part.headers.get("content-length"), "101")
    assert.isTrue(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(262_100, 262_201)))
    const end = await get({ range: "bytes=-5" })
    assert.isTrue(Buffer.from(await end.arrayBuffer()).equals(bytes.subarray(-5)))
    const several = await get({ range: "bytes=0-1,5-6" })
    assert.deepStrictEqual([several.status, (await several.arrayBuffer()).byteLength], [200, 900_000])
  })

  it("refuses a range behind the end with 416 and the size", async () => {
    const response = await get({ range: "bytes=900000-" })
    assert.strictEqual(response.status, 416)
    assert.strictEqual(response.headers.get("content-range"), "bytes */900000")
    const { error, success } = (await response.json()) as { error: { code: string; message: string }; success: boolean }
    assert.deepStrictEqual([success, error.code], [false, "VALIDATION_ERROR"])
    assert.strictEqual(error.message, "headers.range: must select some of the 900000 bytes")
  })

  it("is 304 where the client has the bytes, also with a range, and 206 only where If-Range names them", async () => {
    const etag = `"${sha256}"`
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await get({ "if-none-match": value, range: "bytes=0-1" })
      assert.deepStrictEqual([response.status, response.headers.get("etag")], [304, etag], value)
    }
    const statuses = async (condition: string) => (await get({ "if-range": condition, range: "bytes=0-1" })).status
    assert.strictEqual(await statuses(etag), 206)
    assert.strictEqual(await statuses('"other"'), 200)
    assert.strictEqual(await statuses(`W/${etag}`), 200, "a weak tag never selects a range")
    assert.strictEqual(await statuses("Wed, 21 Oct 2015 07:28:00 GMT"), 200)
    assert.strictEqual((await get({ "if-none-match": '"other"' })).status, 200)
  })

  it("is never compressed, also where it is text", async () => {
    const response = await get({ "accept-encoding": "gzip, br" }, "GET", "texts")
    assert.strictEqual(response.headers.get("content-encoding"), null)
    assert.strictEqual(response.headers.get("etag"), `"${sha256}"`)
    assert.isTrue(Buffer.from(await response.arrayBuffer()).equals(bytes))
  })

  it("is 404 where the bytes are unknown or purged", async () => {
    const response = await fetch(`${server.baseUrl}/blobs/${"0".repeat(64)}`)
    assert.strictEqual(response.status, 404)
  })

  it("ends the reading when the client disconnects", async () => {
    await quiet()
    const clients = Array.from({ length: 10 }, () => {
      const socket = connect(server.port, "127.0.0.1")
      socket.write(`GET /blobs/${sha256} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
      return new Promise<void>((resolve) => {
        socket.once("data", () => {
          socket.destroy()
          resolve()
        })
      })
    })
    await Promise.all(clients)
    await quiet()
    assert.strictEqual(server.state.open, 0)
  })

  it("reads from the store only as fast as the client reads", async () => {
    await quiet()
    const before = server.state.chunks
    const socket = connect(server.port, "127.0.0.1")
    socket.pause()
    // Each response of 900 kB has 4 chunks; a client that does not read gets what fits into the buffers of the sockets.
    socket.write(`GET /blobs/${sha256} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(20))
    let last = -1
    while (server.state.chunks !== last) {
      last = server.state.chunks
      await setTimeout(200)
    }
    assert.isBelow(last - before, 60, "the store was read although the client did not read")
    socket.destroy()
    await quiet()
  })

  it("is 503 while the store is unavailable, and breaks off where the store fails half-way (BLOB-7)", async () => {
    await quiet()
    server.state.isAway = true
    const response = await get()
    assert.deepStrictEqual([response.status, response.headers.get("retry-after")], [503, "1"])
    server.state.isAway = false
    server.state.failAt = server.state.chunks + 3
    const broken = await get()
    assert.strictEqual(broken.status, 200)
    assert.isTrue(
      await broken.arrayBuffer().then(
        () => false,
        () => true
      )
    )
    server.state.failAt = Number.POSITIVE_INFINITY
    await quiet()
  })
})
