import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client as Postgres } from "pg"
import { afterAll, assert, describe, it } from "vitest"
import { findPostmaster } from "@agent-marketplace/embedded-postgres/Postmaster"
import { createEmptyDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { dataOf, makeClient } from "./fixtures/Client.ts"
import { onMarket } from "./fixtures/Market.ts"
import { removeData } from "./fixtures/removeData.ts"
import { spawnServer, startServer } from "./fixtures/startServer.ts"

const folders: Array<string> = []

const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), "agent-marketplace-starts-"))
  folders.push(made)
  return made
}

describe("the start of several processes, and of one with another user's data (CONFIG-1)", () => {
  afterAll(async () => {
    for (const made of folders) await removeData(made)
  })

  it("several processes that start concurrently on an empty database migrate it once, and all serve it", async () => {
    const url = await createEmptyDatabase()
    const servers = await Promise.all(Array.from({ length: 3 }, () => startServer({ DATABASE_URL: url })))
    const member = await onMarket(servers[0]!.baseUrl).member()
    for (const { baseUrl } of servers) {
      assert.deepInclude(dataOf<object>(await makeClient(baseUrl, member.key).get("/api/v1/account")), {
        id: member.id
      })
    }
    const database = new Postgres({ connectionString: url })
    await database.connect()
    const { rows } = await database.query<{ times: string }>(
      "SELECT count(*) AS times FROM migrations GROUP BY migration_id ORDER BY 1 DESC LIMIT 1"
    )
    await database.end()
    assert.deepStrictEqual(rows, [{ times: "1" }])
    assert.deepStrictEqual(await Promise.all(servers.map((server) => server.stop())), [0, 0, 0])

    const began = Date.now()
    const again = await startServer({ DATABASE_URL: url })
    assert.isBelow(Date.now() - began, 30_000, "the second start")
    assert.strictEqual((await makeClient(again.baseUrl, member.key).get("/api/v1/account")).status, 200)
    await again.stop()
  })

  it("refuses a data folder that came with a cloned repository before it starts PostgreSQL or reads its token (CONFIG-24)", async () => {
    const mine = { DATA_DIR: join(await folder(), "data"), ADMIN_TOKEN: undefined, NODE_ENV: undefined }
    const first = await startServer(mine)
    assert.strictEqual(await first.stop(), 0)
    const strangers = { ...mine, XDG_STATE_HOME: await folder() }
    const log = join(mine.DATA_DIR, "postgres.log")
    const before = await readFile(log, "utf8")
    const refused = spawnServer(strangers)
    assert.strictEqual(await refused.ended, 1)
    const lines = refused.output().trim().split("\n")
    assert.lengthOf(lines, 1)
    assert.include(lines[0], mine.DATA_DIR)
    assert.include(lines[0], "DATA_DIR_ADOPT=true")
    assert.strictEqual(await readFile(log, "utf8"), before)
    assert.isUndefined(await findPostmaster(join(mine.DATA_DIR, "postgres")))
    const adopted = await startServer({ ...strangers, DATA_DIR_ADOPT: "true" })
    assert.strictEqual(await adopted.stop(), 0)
    assert.include(adopted.output(), "DATA_DIR_ADOPT is set")
    const again = await startServer(strangers)
    assert.strictEqual(await again.stop(), 0)
  })
})
