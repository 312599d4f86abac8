import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { programFile } from "@agent-marketplace/fixtures/processes/programFile"
import { fuzzServer } from "@agent-marketplace/fixtures/fuzzing/api/fuzzServer"
import { startFuzzedServer } from "@agent-marketplace/fixtures/fuzzing/api/startFuzzedServer"
import { assert, describe, it } from "vitest"

/** A run that fails prints its seed: `npm run fuzz -- --seed N` sends the same requests again. */
const seed = Math.floor(Math.random() * 2 ** 31)

describe(`generated requests, seed ${seed}`, () => {
  it("every response of a server in memory keeps the contract, and the ledger balances", async () => {
    const server = await startFuzzedServer(programFile("server"))
    try {
      const report = await fuzzServer(server, { seed, seconds: 30 })
      assert.deepStrictEqual(report.findings, [])
      assert.isAbove(report.requests, 200)
      assert.isAbove(report.accepted, 20)
    } finally {
      await server.stop()
    }
  })

  it("a server on PostgreSQL keeps the same contract", async () => {
    const server = await startFuzzedServer(programFile("server"), { DATABASE_URL: await createDatabase() })
    try {
      const report = await fuzzServer(server, { seed: seed + 1, seconds: 20 })
      assert.deepStrictEqual(report.findings, [])
      assert.isAbove(report.requests, 100)
    } finally {
      await server.stop()
    }
  })
})
