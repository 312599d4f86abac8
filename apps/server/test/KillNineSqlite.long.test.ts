import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { killAgainAndAgain } from "./fixtures/killAgainAndAgain.ts"
import { removeData } from "./fixtures/removeData.ts"

describe("kill -9 with STORAGE=sqlite", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-marketplace-sqlite-"))
  })
  afterAll(() => removeData(folder))

  it("ten kills under load lose no answered request and execute none twice (SQLITE-1)", async () => {
    const env = { STORAGE: "sqlite", DATA_DIR: folder, LISTING_REVIEW: "auto" }
    assert.strictEqual(await killAgainAndAgain(env, 10, { customers: 5, items: 30 }), 0)
  })
})
