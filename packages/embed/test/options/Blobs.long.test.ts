import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { tarGz } from "@agent-marketplace/fixtures/archives/tarBytes"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { folderBlobs } from "../../src/blobs/folderBlobs.ts"
import type { MarketBlobs } from "../../src/blobs/MarketBlobs.ts"
import { s3Blobs } from "../../src/blobs/s3Blobs.ts"
import { createMarketplace } from "../../src/createMarketplace.ts"
import { memoryStorage } from "../../src/storage/memoryStorage.ts"
import { postgresStorage } from "../../src/storage/postgresStorage.ts"

const skill = "---\nname: mail-sorter\ndescription: Sorts mail.\n---\n# Mail sorter\n\nSort the mail by its sender.\n"

const archive = tarGz([{ name: "SKILL.md", content: skill }])

const secret = "0123456789abcdef0123456789abcdef"

const open = async (url: string, blobs: MarketBlobs) =>
  createMarketplace({
    storage: postgresStorage({ url }),
    blobs,
    secret,
    baseUrl: "http://127.0.0.1:3000",
    review: "auto",
    jobs: false
  })

/** Publishes a release in one market, and downloads it from another one with the same database and blobs. */
const roundTrip = async (blobs: () => MarketBlobs) => {
  const url = await createDatabase()
  const seller = { id: "seller", name: "Seller", seller: true }
  const first = await open(url, blobs())
  const { id } = await first.as(seller).skills.create({ name: "Mail Sorter", description: "Sorts mail.", price: "0" })
  const { sha256, version } = await first.as(seller).releases.upload(id, archive, "1.0.0")
  await first.close()
  const second = await open(url, blobs())
  try {
    const bytes = await second.as(seller).releases.download(id, version)
    assert.deepStrictEqual(Buffer.from(bytes), archive)
  } finally {
    await second.close()
  }
  return sha256
}

const errorOf = async (work: () => unknown): Promise<MarketplaceError> => {
  try {
    await work()
  } catch (error) {
    assert.instanceOf(error, MarketplaceError)
    return error as MarketplaceError
  }
  return assert.fail("it was accepted")
}

describe("the option blobs (EMBED-11)", () => {
  let folder = ""
  let s3: Server
  const objects = new Map<string, Buffer>()
  const authorizations: Array<string | undefined> = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "embedded-blobs-"))
    s3 = createServer(async (request, response) => {
      authorizations.push(request.headers.authorization)
      const key = request.url ?? ""
      const parts: Array<Buffer> = []
      for await (const part of request) parts.push(part as Buffer)
      if (request.method === "PUT") objects.set(key, Buffer.concat(parts))
      const [, start = "0", end = ""] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? []
      const stored = objects.get(key)?.subarray(Number(start), end === "" ? undefined : Number(end) + 1)
      const status = request.headers.range === undefined ? 200 : 206
      response.writeHead(stored === undefined ? 404 : status, { "content-length": stored?.length ?? 0 })
      response.end(request.method === "GET" ? stored : undefined)
    })
    await new Promise<void>((listening) => s3.listen(0, "127.0.0.1", listening))
  })
  afterAll(async () => {
    s3.closeAllConnections()
    s3.close()
    await rm(folder, { recursive: true })
  })

  it("a folder has the bytes of a release, and another market with it delivers them (BLOB-10)", async () => {
    const path = join(folder, "blobs")
    const sha256 = await roundTrip(() => folderBlobs({ path }))
    assert.deepStrictEqual(await readFile(join(path, sha256.slice(0, 2), sha256)), archive)
  })

  it("a bucket has the bytes of a release, and another market with it delivers them (BLOB-11)", async () => {
    const { port } = s3.address() as AddressInfo
    const options = {
      bucket: "releases",
      prefix: "market/",
      endpoint: `http://127.0.0.1:${port}`,
      region: "eu-central-1",
      accessKeyId: "AKIA",
      secretAccessKey: "hunter2"
    }
    const sha256 = await roundTrip(() => s3Blobs(options))
    assert.deepStrictEqual(objects.get(`/releases/market/${sha256}`), archive)
    for (const key of objects.keys()) assert.match(key, /^\/releases\/market\/[0-9a-f]{64}$/)
    for (const authorization of authorizations) {
      assert.match(authorization ?? "", /^AWS4-HMAC-SHA256 Credential=AKIA\/\d+\/eu-central-1\/s3\//)
    }
  })

  it("every invalid option is named, and no key is in the error (EMBED-2)", async () => {
    const refused = [
      [() => folderBlobs({} as never), "folderBlobs: path is required"],
      [() => folderBlobs(undefined as never), "folderBlobs: path is required"],
      [() => folderBlobs({ path: 3 } as never), "folderBlobs: path must be a text"],
      [
        () => s3Blobs({ bucket: "X", accessKeyId: "hunter2", key: 1 } as never),
        "s3Blobs: key is not an option; bucket must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens; " +
          "secretAccessKey is required"
      ],
      [
        () => createMarketplace({ storage: memoryStorage(), blobs: folderBlobs({ path: folder }) }),
        "createMarketplace: blobs requires a persistent storage: nothing would refer to the bytes after a restart"
      ]
    ] as const
    for (const [work, message] of refused) {
      const error = await errorOf(work)
      assert.deepStrictEqual([error.code, error.message], ["VALIDATION_ERROR", message])
    }
  })

  it("a folder with other files prevents the start, and keeps them", async () => {
    const path = join(folder, "documents")
    await mkdir(path)
    await writeFile(join(path, "letter.txt"), "Dear Ada")
    const error = await errorOf(async () => open(await createDatabase(), folderBlobs({ path })))
    assert.match(error.message, /^createMarketplace: folderBlobs: path: .*contains letter\.txt, which is no blob/)
    assert.deepStrictEqual(await readdir(path), ["letter.txt"])
  })
})
