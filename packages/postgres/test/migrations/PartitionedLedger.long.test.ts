import { assert, describe, it } from "@effect/vitest"
import { migratedLedger } from "./migratedLedger.ts"

/** Far above what was measured (decision 46), because a busy machine may be slower. Without the migration a sale takes a few milliseconds. */
const longest = 5000

describe("a database with a million lines and events", () => {
  it("is migrated while it serves: no sale waits longer than a client does (DATABASE-10, DATABASE-12)", async () => {
    const result = await migratedLedger(1_000_000, 53, 55)
    assert.isBelow(result.longest, longest, `the longest of ${result.settled} sales, in milliseconds`)
  })
})
