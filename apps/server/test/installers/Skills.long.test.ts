import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Member } from "../fixtures/Market.ts"
import { released, skillArchive } from "../fixtures/skillArchives.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

const run = promisify(execFile)

/** The published installer `skills`. */
const installer = fileURLToPath(new URL("bin/cli.mjs", import.meta.resolve("skills/package.json")))

describe("the installer `skills` from npm", () => {
  let server: RunningServer
  let seller: Member
  let home: string

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto", RATE_LIMITS: "on" })
    seller = await onMarket(server.baseUrl).member({ seller: true })
    home = await mkdtemp(join(tmpdir(), "agent-marketplace-installer-"))
  })
  afterAll(async () => {
    await server?.stop()
    await rm(home, { recursive: true, force: true })
  })

  const free = async (name: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> => {
    const draft = { title: name, name, description: "Sorts the rows of files.", price: 0 }
    const { id, slug } = dataOf<{ id: string; slug: string }>(await seller.post("/api/v1/skills", draft), 201)
    await released(seller, id, "1.0.0", skillArchive("1.0.0", files))
    return slug
  }

  const add = (address: string, ...more: ReadonlyArray<string>) =>
    run(process.execPath, [installer, "add", address, "--agent", "claude-code", "--copy", "--yes", ...more], {
      cwd: home,
      env: { PATH: process.env["PATH"], HOME: home, DISABLE_TELEMETRY: "1", DO_NOT_TRACK: "1", CI: "1" },
      timeout: 60_000
    })

  const installed = async (): Promise<ReadonlyArray<string>> =>
    (await readdir(join(home, ".claude/skills")).catch(() => [])).sort()

  it("installs one skill by its address, and all of the index, with exactly the bytes of the release (INSTALLER-1, INSTALLER-5, INSTALLER-7)", async () => {
    const image = Uint8Array.from({ length: 256 }, (_, n) => n)
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`data/part ${n}.txt`, `${n}\n`]))
    const slug = await free("Sorter of rows", { "scripts/sort.py": "print('ü')\n", "assets/logo.png": image, ...many })
    const other = await free("Sorter of columns", { "notes.md": "# Notes\n" })
    const { headers } = await fetch(`${server.baseUrl}/.well-known/agent-skills/index.json`)
    assert.strictEqual(headers.get("x-ratelimit-limit"), "1200")
    await add(`${server.baseUrl}/.well-known/agent-skills/${slug}`)
    assert.deepStrictEqual(await installed(), [slug])
    const folder = join(home, ".claude/skills", slug)
    assert.include(await readFile(join(folder, "SKILL.md"), "utf8"), "# CSV sorter")
    assert.strictEqual(await readFile(join(folder, "scripts/sort.py"), "utf8"), "print('ü')\n")
    assert.deepStrictEqual(new Uint8Array(await readFile(join(folder, "assets/logo.png"))), image)
    assert.lengthOf(await readdir(join(folder, "data")), 120)
    await add(server.baseUrl)
    assert.deepStrictEqual(await installed(), [other, slug])
    const unknown: unknown = await add(`${server.baseUrl}/.well-known/agent-skills/unknown`).catch((error) => error)
    assert.instanceOf(unknown, Error)
    assert.deepStrictEqual(await installed(), [other, slug])
  })
})
