import { assert, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { killAgainAndAgain } from "./fixtures/killAgainAndAgain.ts"

describe("kill -9 under load", () => {
  it("loses no acknowledged request and executes none twice, in one repetition", async () => {
    const env = { DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto" }
    assert.strictEqual(await killAgainAndAgain(env, 1, { customers: 6, items: 40 }), 0)
  })
})
