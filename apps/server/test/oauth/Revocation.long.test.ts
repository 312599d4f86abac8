import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { connect, postForm } from "./Application.ts"

const rounds = 20
const requestsEach = 50

describe("the end of a grant over two processes (OAUTH-18)", () => {
  let servers: ReadonlyArray<RunningServer>
  let market: Market

  beforeAll(async () => {
    const DATABASE_URL = await createDatabase()
    const first = await startServer({ DATABASE_URL, TEST_CLOCK: "true" })
    servers = [
      first,
      await startServer({ DATABASE_URL, TEST_CLOCK: "true", BASE_URL: first.baseUrl, PORT: String(await freePort()) })
    ]
    market = onMarket(first.baseUrl, { testClock: true })
  }, 120_000)
  afterAll(() => Promise.all((servers ?? []).map((server) => server.stop())))

  const freePort = async (): Promise<number> => {
    const { createServer } = await import("node:net")
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    return port
  }

  const read = async (server: RunningServer, token: string): Promise<number> => {
    const response = await fetch(`${server.baseUrl}/api/v1/account`, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    return response.status
  }

  it(`accepts 0 of ${rounds * requestsEach} requests that start after the call that ended it returned`, async () => {
    const [first, second] = servers
    assert.isDefined(first)
    assert.isDefined(second)
    let accepted = 0
    let refused = 0
    for (let round = 0; round < rounds; round++) {
      const owner = await market.member()
      const { client, tokens } = await connect(first.baseUrl, owner)
      const token = tokens.access_token
      // Both processes have the caller in their caches, and requests are under way while the grant ends.
      for (const server of servers) assert.strictEqual(await read(server, token), 200)
      const before = Array.from({ length: 10 }, (_, n) => read(n % 2 === 0 ? first : second, token))
      const [ending, other] = round % 2 === 0 ? [first, second] : [second, first]
      if (round % 4 < 2) {
        const [grant] = dataOf<ReadonlyArray<{ id: string }>>(await owner.get("/api/v1/oauth/grants"))
        const ended = await fetch(`${ending.baseUrl}/api/v1/oauth/grants/${grant?.id}`, {
          method: "DELETE",
          headers: { authorization: `Bearer ${owner.key}` }
        })
        assert.strictEqual(ended.status, 200)
      } else {
        const form = { token: tokens.refresh_token ?? "", client_id: client.client_id }
        assert.strictEqual((await postForm(`${ending.baseUrl}/oauth/revoke`, form)).status, 200)
      }
      const after = Array.from({ length: requestsEach }, (_, n) => read(n % 3 === 0 ? ending : other, token))
      for (const status of await Promise.all(after)) {
        if (status === 200) accepted++
        else if (status === 401) refused++
      }
      await Promise.all(before)
    }
    assert.deepStrictEqual({ accepted, refused }, { accepted: 0, refused: rounds * requestsEach })
  }, 300_000)
})
