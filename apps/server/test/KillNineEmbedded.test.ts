import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { killAgainAndAgain } from "./fixtures/killAgainAndAgain.ts"
import { removeData } from "./fixtures/removeData.ts"

describe("kill -9 with the embedded database", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-marketplace-kill-"))
  })
  afterAll(() => removeData(folder))

  it("loses no acknowledged request and executes none twice", async () => {
    const env = { DATA_DIR: folder, LISTING_REVIEW: "auto" }
    assert.strictEqual(await killAgainAndAgain(env, 2, { customers: 3, items: 20 }), 0)
  })
})
