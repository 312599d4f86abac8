import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { request } from "node:http"
import type { ClientRequest, IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { gzip, skillArchive, upload } from "../fixtures/skillArchives.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

const mebibyte = 1_048_576

/** Just below the largest archive (RELEASE-1). It cannot be compressed. */
const contentSize = 20 * mebibyte - 16_384

const readers = 50
const senders = 30
const completed = 6

/**
 * The most memory of the whole process, in MiB. A server in use takes about 200. If the server held whole bodies, the readers would add 1,000, and
 * the senders 600.
 */
const mostMemory = 420

/** The same while two archives are unpacked (RELEASE-28), each in a thread of its own, with its bytes packed and unpacked. */
const mostWhileUnpacking = 600

const isLinux = process.platform === "linux"
if (!isLinux) process.stderr.write("RELEASE-5 is not tested: the peak of a process's memory is only read on Linux\n")

/** The highest memory of the process since its start, in MiB. */
const peakMemory = (pid: number): number => {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kilobytes) / 1024
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

describe.skipIf(!isLinux)("the memory of a server", () => {
  const archive = skillArchive(undefined, { "data.bin": randomBytes(contentSize) })
  let server: RunningServer
  let market: Market
  let seller: Member
  let id: string

  beforeAll(async () => {
    // Scans run in a worker, which reads whole files.
    server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto", WORKER: "external" })
    market = onMarket(server.baseUrl)
    seller = await market.member({ seller: true })
    const quotas = { releaseBytes: 1000 * mebibyte }
    dataOf(await market.operator.patch(`/api/v1/admin/accounts/${seller.id}`, { quotas }))
    id = await market.listing(seller, "Large sorter", 5)
    bodyOf(await upload(seller, id, archive, "1.0.0"), 201)
  })
  afterAll(() => server?.stop())

  const send = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    by: { readonly key: string; readonly id: string } = { key: seller.key, id }
  ): ClientRequest =>
    request(`${server.baseUrl}/v1/listings/${by.id}/releases${path}`, {
      method,
      agent: false,
      headers: { authorization: `Bearer ${by.key}`, ...headers }
    })

  /** Sellers with an item each. Each of them sends at most four archives at the same time (LIMIT-15). */
  const uploaders = () =>
    Promise.all(
      Array.from({ length: Math.ceil(senders / 4) }, async (_, n) => {
        const uploader = await market.member({ seller: true })
        return { key: uploader.key, id: await market.listing(uploader, `Large sorter of ${n}`, 5) }
      })
    )

  /** Starts a download and reads nothing of its body. */
  const startDownload = async (): Promise<IncomingMessage> => {
    const sent = send("GET", "/1.0.0/download").end()
    const [response] = (await once(sent, "response")) as [IncomingMessage]
    assert.strictEqual(response.statusCode, 200)
    return response
  }

  /** Reads in steps of about 1 MiB, with pauses. */
  const readSlowly = async (response: IncomingMessage): Promise<string> => {
    const hash = createHash("sha256")
    let sincePause = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      hash.update(chunk)
      sincePause += chunk.length
      if (sincePause < mebibyte) continue
      sincePause = 0
      await setTimeout(20)
    }
    return hash.digest("hex")
  }

  it(`stays below ${mostMemory} MiB while ${readers} slow clients download an archive of 20 MiB (RELEASE-5)`, async () => {
    const responses = await Promise.all(Array.from({ length: readers }, startDownload))
    // Without backpressure the server would read all bytes in this time.
    await setTimeout(3000)
    assert.isBelow(peakMemory(server.pid), mostMemory, "while nobody reads")
    const digests = await Promise.all(responses.map(readSlowly))
    assert.deepStrictEqual(new Set(digests), new Set([digestOf(archive)]))
    assert.isBelow(peakMemory(server.pid), mostMemory, "while everybody reads")
    process.stderr.write(`peak memory after ${readers} downloads: ${peakMemory(server.pid).toFixed(0)} MiB\n`)
  })

  /** Sends everything but the last byte; resolves once the server has taken it. */
  const startUpload = async (
    version: string,
    by: { readonly key: string; readonly id: string } | undefined
  ): Promise<ClientRequest> => {
    const sent = send("POST", `?version=${version}`, { ...gzip, "content-length": String(archive.length) }, by)
    await new Promise<void>((resolve, reject) => {
      sent.on("error", reject)
      sent.write(archive.subarray(0, -1), (error) => (error ? reject(error) : resolve()))
    })
    return sent
  }

  const finish = async (sent: ClientRequest): Promise<number | undefined> => {
    const answered = once(sent, "response") as Promise<[IncomingMessage]>
    sent.end(archive.subarray(-1))
    const [response] = await answered
    await text(response)
    return response.statusCode
  }

  it(`stays below ${mostMemory} MiB while ${senders} clients send 20 MiB each, and ${mostWhileUnpacking} while they are stored (RELEASE-5)`, async () => {
    const by = await uploaders()
    const sent = await Promise.all(
      Array.from({ length: senders }, (_, n) => startUpload(`2.0.${n}`, by[n % by.length]))
    )
    await setTimeout(1000)
    assert.isBelow(peakMemory(server.pid), mostMemory, "while all bodies are received")
    const statuses = await Promise.all(sent.slice(0, completed).map(finish))
    assert.deepStrictEqual(statuses, Array(completed).fill(201))
    assert.isBelow(peakMemory(server.pid), mostWhileUnpacking, "while archives are unpacked and stored")
    process.stderr.write(`peak memory after ${senders} uploads: ${peakMemory(server.pid).toFixed(0)} MiB\n`)
    for (const rest of sent.slice(completed)) rest.on("error", () => undefined).destroy()
  })
})
