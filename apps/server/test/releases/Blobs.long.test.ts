import { spawn } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf, makeClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import { released, skillArchive } from "../fixtures/skillArchives.ts"
import type { WireRelease } from "../fixtures/skillArchives.ts"
import { spawnServer, startServer } from "../fixtures/startServer.ts"

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

describe("where the bytes of releases are kept (CONFIG-26)", () => {
  let folder = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "blobs-"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const filesIn = async (path: string): Promise<ReadonlyArray<string>> =>
    (await readdir(path, { recursive: true, withFileTypes: true })).flatMap((entry) =>
      entry.isFile() ? [entry.name] : []
    )

  /**
   * Publishes a release on a server with these settings, downloads it from a second one, and purges it there. `files` are the names of all stored
   * files: those of the release are among them before the purge, and not after it.
   */
  const passedOn = async (
    settings: Readonly<Record<string, string>>,
    files: () => Promise<ReadonlyArray<string>>
  ): Promise<void> => {
    const env = { DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto", ...settings }
    const archive = skillArchive("1.0.0", {
      "data.csv": `key\n${randomBytes(100_000).toString("hex").replace(/.{60}/g, "$&\n")}`
    })
    const first = await startServer(env)
    const market = onMarket(first.baseUrl)
    const seller = await market.member({ seller: true })
    const id = await market.listing(seller, "Kept elsewhere", 5)
    await released(seller, id, "1.0.0", archive)
    await first.stop()
    const second = await startServer(env)
    const response = await fetch(`${second.baseUrl}/v1/listings/${id}/releases/1.0.0/download`, {
      headers: { authorization: `Bearer ${seller.key}` }
    })
    assert.strictEqual(response.status, 200)
    assert.strictEqual(digestOf(new Uint8Array(await response.arrayBuffer())), digestOf(archive))
    const { files: manifest } = bodyOf<WireRelease>(
      await makeClient(second.baseUrl, seller.key).get(`/v1/listings/${id}/releases/1.0.0`)
    )
    const digests = [digestOf(archive), ...manifest.map(({ sha256 }) => sha256)]
    const stored = async () => {
      const names = (await files()).join()
      return digests.filter((digest) => names.includes(digest))
    }
    assert.deepStrictEqual(await stored(), digests)
    dataOf(await onMarket(second.baseUrl).operator.post(`/api/v1/admin/items/${id}/purge`, { reason: "Leaked." }))
    assert.deepStrictEqual(await stored(), [])
    await second.stop()
  }

  it("in a folder: a release is uploaded, downloaded after a restart, and purged (BLOB-10, PURGE-2)", async () => {
    const path = join(folder, "bytes")
    await passedOn({ BLOBS: "folder", BLOB_FOLDER: path }, () => filesIn(path))
  })

  it("in a bucket: a release is uploaded, downloaded after a restart, and purged (BLOB-11, PURGE-2)", async () => {
    const program = fileURLToPath(new URL("../../../../packages/blobs/test/fixtures/s3Server.ts", import.meta.url))
    const objects = join(folder, "objects")
    const s3 = spawn(process.execPath, [program, objects, "market"], { stdio: ["ignore", "pipe", "inherit"] })
    try {
      const [line] = (await once(s3.stdout, "data")) as [Buffer]
      const bucket = {
        BLOBS: "s3",
        S3_BUCKET: "market",
        S3_PREFIX: "blobs/",
        S3_ENDPOINT: `http://127.0.0.1:${line.toString().trim()}`,
        S3_ACCESS_KEY_ID: "S3RVER",
        S3_SECRET_ACCESS_KEY: "S3RVER"
      }
      await passedOn(bucket, () => filesIn(objects))
    } finally {
      s3.kill("SIGKILL")
      await once(s3, "exit")
    }
  })

  it("a folder that cannot be used stops the start, and the message names the setting (CONFIG-26)", async () => {
    const file = join(folder, "a-file")
    await writeFile(file, "")
    const server = spawnServer({ DATABASE_URL: await createDatabase(), BLOBS: "folder", BLOB_FOLDER: file })
    assert.notStrictEqual(await server.ended, 0)
    assert.match(server.output(), /BLOB_FOLDER: .*a-file/)
  })
})
