import { spawn } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import type { Socket } from "node:net"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { blobServer, maxBytes } from "../fixtures/blobServer.ts"

let server: Awaited<ReturnType<typeof blobServer>>
beforeAll(async () => {
  server = await blobServer()
})
afterAll(async () => {
  assert.deepStrictEqual(await server.stop(), [])
})

const head = (...headers: ReadonlyArray<string>): string =>
  ["POST /upload HTTP/1.1", "host: localhost", "content-type: application/zip", ...headers, "", ""].join("\r\n")

const open = () => {
  const socket: Socket = connect(server.port, "127.0.0.1")
  const received = { text: "" }
  socket.setEncoding("utf8")
  socket.on("data", (part: string) => (received.text += part))
  socket.on("error", () => {})
  return { socket, received }
}

const statusOf = async (received: { readonly text: string }): Promise<string> => {
  while (!/^HTTP\/1\.1 \d{3}/.test(received.text)) await setTimeout(5)
  return received.text.slice(9, 12)
}

/** Waits until no file of an upload is left. */
const noFiles = async (): Promise<void> => {
  while ((await server.files()).length > 0) await setTimeout(5)
}

const someFile = async (): Promise<void> => {
  while ((await server.files()).length === 0) await setTimeout(5)
}

const post = (body: BodyInit, headers: Record<string, string> = { "content-type": "application/zip" }) =>
  fetch(`${server.baseUrl}/upload`, { method: "POST", headers, body, duplex: "half" } as RequestInit)

describe("an upload (BLOB-8)", () => {
  it("is received whole, with its length or in chunks, and leaves no file", async () => {
    const bytes = randomBytes(maxBytes)
    const sha256 = createHash("sha256").update(bytes).digest("hex")
    const expected = { sha256, size: maxBytes, mediaType: "application/zip" }
    assert.deepStrictEqual(await (await post(bytes)).json(), expected)
    const chunked = new ReadableStream({
      start: (controller) => {
        for (let n = 0; n < 10; n++) controller.enqueue(bytes.subarray(n * 100_000, (n + 1) * 100_000))
        controller.close()
      }
    })
    assert.deepStrictEqual(await (await post(chunked)).json(), expected)
    await noFiles()
  })

  it("is refused with 413 from its length alone, before any of it arrives", async () => {
    const { received, socket } = open()
    socket.write(head(`content-length: ${maxBytes + 1}`))
    assert.strictEqual(await statusOf(received), "413")
    assert.include(received.text, `The body must be at most ${maxBytes} bytes`)
    socket.destroy()
    assert.deepStrictEqual(await server.files(), [])
  })

  it("is refused with 413 as soon as its chunks exceed the limit, while more could come", async () => {
    const { received, socket } = open()
    socket.write(head("transfer-encoding: chunked"))
    const chunk = Buffer.alloc(100_000)
    for (let n = 0; n < 10; n++) {
      socket.write(`${chunk.length.toString(16)}\r\n`)
      socket.write(chunk)
      socket.write("\r\n")
    }
    await someFile()
    assert.strictEqual(received.text, "")
    socket.write("1\r\nx\r\n")
    assert.strictEqual(await statusOf(received), "413")
    await noFiles()
    socket.destroy()
  })

  it("leaves no file where the sender disconnects, or is slow and then disconnects", async () => {
    const senders = Array.from({ length: 5 }, () => {
      const { socket } = open()
      socket.write(head("content-length: 500000"))
      socket.write(Buffer.alloc(250_000))
      return socket
    })
    while ((await server.files()).length < 5) await setTimeout(5)
    for (const socket of senders) socket.destroy()
    await noFiles()
  })

  it("with less than its length says is no upload; what follows its length is no part of it", async () => {
    const short = open()
    short.socket.end(`${head("content-length: 1000")}${"a".repeat(999)}`)
    await once(short.socket, "close")
    assert.notMatch(short.received.text, /HTTP\/1\.1 2/)
    await noFiles()
    const long = open()
    long.socket.write(`${head("content-length: 10", "connection: close")}${"a".repeat(1000)}`)
    await once(long.socket, "close")
    // Node may refuse what follows, which is no request, before the response is sent.
    assert.match(long.received.text, /^HTTP\/1\.1 (?:201|400)/)
    assert.notInclude(long.received.text, '"size":1000')
    await noFiles()
  })

  it("with two lengths, or a length and chunks, is refused", async () => {
    const bodies = [
      `${head("content-length: 3", "content-length: 4")}abcd`,
      `${head("content-length: 3", "transfer-encoding: chunked")}3\r\nabc\r\n0\r\n\r\n`,
      `${head("content-length: -1")}a`,
      `${head("transfer-encoding: chunked")}zz\r\nabc\r\n0\r\n\r\n`
    ]
    for (const body of bodies) {
      const { received, socket } = open()
      socket.write(body)
      assert.strictEqual(await statusOf(received), "400", body)
      socket.destroy()
    }
    await noFiles()
  })

  it("that is empty is refused with 400", async () => {
    const response = await post(new Uint8Array())
    assert.strictEqual(response.status, 400)
    const { error } = (await response.json()) as { error: { details: unknown } }
    assert.deepStrictEqual(error.details, { issues: [{ path: "body", message: "must not be empty" }] })
  })

  it("of another type, without a type, or compressed by its encoding is refused with 415", async () => {
    const refused: ReadonlyArray<Record<string, string>> = [
      { "content-type": "application/json" },
      { "content-type": "multipart/form-data; boundary=x" },
      { "content-type": "application/zip", "content-encoding": "gzip" },
      { "content-type": "application/zip", "content-encoding": "br, gzip" }
    ]
    for (const headers of refused) {
      const response = await post(gzipSync("a"), headers)
      assert.strictEqual(response.status, 415, JSON.stringify(headers))
    }
    const untyped = open()
    untyped.socket.write("POST /upload HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\n\r\na")
    assert.strictEqual(await statusOf(untyped.received), "415")
    untyped.socket.destroy()
    const accepted = await post(gzipSync("a"), {
      "content-type": "Application/GZIP; x=1",
      "content-encoding": "Identity"
    })
    assert.strictEqual(accepted.status, 201)
  })

  it("reads a body only once the client is told to continue", async () => {
    const { received, socket } = open()
    socket.write(head("content-length: 3", "expect: 100-continue", "connection: close"))
    while (!received.text.startsWith("HTTP/1.1 100")) await setTimeout(5)
    socket.write("abc")
    await once(socket, "close")
    assert.match(received.text, /HTTP\/1\.1 201/)
  })
})

describe("the folder of uploads (BLOB-8)", () => {
  it("of a process that ended is removed at the next start; those of living processes and other folders stay", async () => {
    const parent = await mkdtemp(join(tmpdir(), "upload-folders-"))
    const machine = createHash("sha256").update(hostname()).digest("hex").slice(0, 8)
    const child = spawn(process.execPath, ["-e", ""])
    await once(child, "exit")
    const name = (host: string, pid: number | undefined) => `agent-marketplace-uploads-${host}-${pid}-abcdef`
    const [dead, alive] = [name(machine, child.pid), name(machine, process.ppid)]
    const [elsewhere, oldElsewhere] = [name("00000000", 1), name("00000000", 2)]
    const foreign = "agent-marketplace-uploads-mine"
    for (const each of [dead, alive, elsewhere, oldElsewhere, foreign]) {
      await mkdir(join(parent, each))
      await writeFile(join(parent, each, "1"), "half an upload")
    }
    const hoursAgo = new Date(Date.now() - 7_200_000)
    await utimes(join(parent, oldElsewhere), hoursAgo, hoursAgo)
    const target = join(parent, "target")
    await mkdir(target)
    const link = name(machine, child.pid).replace("abcdef", "link00")
    await symlink(target, join(parent, link))
    const started = await blobServer(parent)
    const left = await started.stop()
    assert.sameMembers(left, [alive, elsewhere, foreign, "target", link])
    assert.deepStrictEqual(await readdir(target), [])
    await rm(parent, { recursive: true })
  })
})
