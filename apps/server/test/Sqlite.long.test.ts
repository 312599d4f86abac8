import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import { Result } from "effect"
import { killAgainAndAgain } from "./fixtures/killAgainAndAgain.ts"
import { onMarket } from "./fixtures/Market.ts"
import { removeData } from "./fixtures/removeData.ts"
import { spawnServer, startServer } from "./fixtures/startServer.ts"

const faultsOf = (env: Readonly<Record<string, string>>, reader: "server" | "worker" = "server"): string => {
  const read = readConfiguration(env, reader)
  return Result.isSuccess(read) ? "" : read.failure.faults.join("\n")
}

describe("STORAGE=sqlite", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-marketplace-sqlite-"))
  })
  afterAll(() => removeData(folder))
  const env = (file: string) => ({
    STORAGE: "sqlite",
    DATA_DIR: join(folder, "data"),
    SQLITE_FILE: join(folder, file),
    LISTING_REVIEW: "auto"
  })

  it("loses no answered request and executes none twice when the server is killed under load (SQLITE-1)", async () => {
    assert.strictEqual(await killAgainAndAgain(env("killed.sqlite"), 1, { customers: 3, items: 10 }), 0)
  })

  it("a second process is refused with the name of the file, and a start after kill -9 is not (SQLITE-2)", async () => {
    const first = await startServer(env("shared.sqlite"))
    try {
      const { key } = await onMarket(first.baseUrl).member()
      const second = spawnServer(env("shared.sqlite"))
      assert.notStrictEqual(await second.ended, 0)
      assert.match(second.output(), /The SQLite file .*shared\.sqlite is in use by another process/)
      await first.kill()
      const again = await startServer(env("shared.sqlite"))
      assert.isDefined(key)
      await onMarket(again.baseUrl).assertBalanced()
      assert.strictEqual(await again.stop(), 0)
    } finally {
      if (!first.hasEnded()) await first.kill()
    }
  })

  it("a folder that does not exist is reported in one line that names SQLITE_FILE (CONFIG-28)", async () => {
    const server = spawnServer({ ...env("x"), SQLITE_FILE: join(folder, "missing", "market.sqlite") })
    assert.notStrictEqual(await server.ended, 0)
    assert.match(server.output(), /The folder of the SQLite file .* does not exist.*SQLITE_FILE/)
  })

  it("refuses settings that need a second process, another database or another storage (CONFIG-28)", () => {
    const sqlite = { STORAGE: "sqlite" }
    assert.match(faultsOf({ ...sqlite, PROCESSES: "2" }), /PROCESSES must be 1 with STORAGE=sqlite/)
    assert.match(faultsOf({ ...sqlite, WORKER: "external" }), /WORKER must be embedded with STORAGE=sqlite/)
    assert.include(
      faultsOf(sqlite, "worker"),
      "STORAGE must be postgres for a worker: with STORAGE=sqlite the server runs the jobs itself, so start no worker"
    )
    assert.match(faultsOf({ ...sqlite, DATABASE_URL: "postgres://x/y" }), /DATABASE_URL must not be set/)
    assert.match(faultsOf({ ...sqlite, SQLITE_FILE: "data/" }), /SQLITE_FILE must be the path of a file/)
    assert.match(faultsOf({ SQLITE_FILE: "a.sqlite" }), /STORAGE must be sqlite with SQLITE_FILE/)
    assert.strictEqual(faultsOf(sqlite), "")
  })
})
