import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createMarketplace } from "@agent-marketplace/embed"
import { sqliteStorage } from "@agent-marketplace/embed/storage/sqliteStorage"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

describe("sqliteStorage", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "market-"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const open = (file: string) =>
    createMarketplace({
      storage: sqliteStorage({ file }),
      secret: "a secret of at least 32 characters",
      baseUrl: "http://localhost:3000"
    })

  it("keeps the market in its file, which one market opens at a time (SQLITE-1, SQLITE-2)", async () => {
    const file = join(folder, "market.sqlite")
    const first = await open(file)
    const soul = { name: "Patient Tutor", description: "Explains in small steps.", content: "# SOUL" }
    const { id } = await first.as({ id: "alice", name: "Alice", seller: true }).souls.create(soul)
    const refused = await open(file).then(
      () => "",
      (error: unknown) => String(error)
    )
    assert.include(refused, "is in use by another process")
    assert.include(refused, "sqliteStorage: file")
    await first.close()
    const again = await open(file)
    const { souls } = await again.as({ id: "alice", name: "Alice", seller: true }).souls.list()
    assert.isTrue(souls.some((each) => each.id === id))
    await again.close()
  })

  it("names every wrong option", () => {
    for (const wrong of [undefined, "market.sqlite", {}, { file: 1 }, { file: "" }])
      assert.throws(() => sqliteStorage(wrong as never), /file must be the path of a file/)
    assert.throws(() => sqliteStorage({ file: "a", url: "b" } as never), /url is not an option/)
  })
})
