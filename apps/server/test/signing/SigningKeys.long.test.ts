import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, makeClient } from "../fixtures/Client.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { spawnServer, startServer } from "../fixtures/startServer.ts"

interface PublicKeys {
  readonly keys: ReadonlyArray<{ readonly kid: string; readonly retiredAt: string | null }>
}

const another = "PLDm1rE9I3Kx8Rk0Yw5q7TzqvN2cF4hJ6bUaXoVtGsM="

const keysOf = async ({ baseUrl }: RunningServer) =>
  bodyOf<PublicKeys>(await makeClient(baseUrl).get("/.well-known/agent-marketplace-keys.json")).keys

describe("processes of one market (SIGN-5)", () => {
  let database: string
  let first: RunningServer
  beforeAll(async () => {
    database = await createDatabase()
    first = await startServer({ DATABASE_URL: database })
  })
  afterAll(() => first.stop())

  it("have the same key, and a process with another one replaces it and is noticed (SIGN-5, SIGN-6, CONFIG-16)", async () => {
    const second = await startServer({ DATABASE_URL: database })
    const [shared] = await keysOf(first)
    assert.deepStrictEqual(await keysOf(second), shared === undefined ? [] : [shared])
    assert.strictEqual(shared?.retiredAt, null)
    assert.strictEqual(await second.stop(), 0)

    const other = await startServer({ DATABASE_URL: database, MARKET_SIGNING_KEY: another })
    const [current, retired] = await keysOf(other)
    assert.strictEqual(retired?.kid, shared?.kid)
    assert.isString(retired?.retiredAt)
    assert.strictEqual(current?.retiredAt, null)
    assert.strictEqual(await other.stop(), 0)

    const refused = spawnServer({ DATABASE_URL: database })
    assert.strictEqual(await refused.ended, 1)
    assert.match(refused.output(), /signing key \S+ was retired on .*same MARKET_SIGNING_KEY/)
    assert.notMatch(refused.output(), /\n\s+at /, "no stack")
  })
})
