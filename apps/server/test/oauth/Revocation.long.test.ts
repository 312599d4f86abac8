import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { signIn } from "../fixtures/Browser.ts"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { connect, postForm } from "./Application.ts"

const rounds = 20
const requestsEach = 50

describe("what has ended is accepted by neither of two processes under load (OAUTH-18, SESSION-11, LIVE-6)", () => {
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

  /** The headers with which one identity calls, and how it ends: each round ends one of them on either process. */
  interface Identity {
    readonly headers: Readonly<Record<string, string>>
    readonly end: (on: RunningServer, round: number) => Promise<number>
  }

  const statusOf = async (response: Response): Promise<number> => {
    await response.body?.cancel()
    return response.status
  }

  const read = async (server: RunningServer, { headers }: Identity): Promise<number> =>
    statusOf(await fetch(`${server.baseUrl}/api/v1/account`, { headers }))

  const deleted = async (url: string, headers: Readonly<Record<string, string>>): Promise<number> =>
    statusOf(await fetch(url, { method: "DELETE", headers }))

  const withToken = async (): Promise<Identity> => {
    const owner = await market.member()
    const { client, tokens } = await connect(servers[0]?.baseUrl ?? "", owner)
    return {
      headers: { authorization: `Bearer ${tokens.access_token}` },
      end: async ({ baseUrl }, round) => {
        if (round % 4 >= 2) {
          const form = { token: tokens.refresh_token ?? "", client_id: client.client_id }
          return (await postForm(`${baseUrl}/oauth/revoke`, form)).status
        }
        const [grant] = dataOf<ReadonlyArray<{ id: string }>>(await owner.get("/api/v1/oauth/grants"))
        return deleted(`${baseUrl}/api/v1/oauth/grants/${grant?.id}`, { authorization: `Bearer ${owner.key}` })
      }
    }
  }

  const withSession = async (): Promise<Identity> => {
    const owner = await market.member()
    const { cookie, session } = await signIn(servers[0]?.baseUrl ?? "", { apiKey: owner.key })
    const page = { cookie, "x-requested-with": "console" }
    return {
      headers: { ...page, "sec-fetch-site": "same-origin" },
      end: ({ baseUrl }, round) =>
        round % 4 >= 2
          ? deleted(`${baseUrl}/api/v1/sessions/current`, { ...page, origin: new URL(baseUrl).origin })
          : deleted(`${baseUrl}/api/v1/sessions/${session.id}`, { authorization: `Bearer ${owner.key}` })
    }
  }

  const openStream = (server: RunningServer, { headers }: Identity): Promise<Response> =>
    fetch(`${server.baseUrl}/api/v1/events/stream`, { headers })

  /** How long an open stream lasts, in milliseconds. */
  const lasting = async (response: Response): Promise<number> => {
    const start = performance.now()
    await response.text().catch(() => undefined)
    return performance.now() - start
  }

  /** Ends one identity after another while requests are under way, and counts how later requests end. */
  const counted = async (
    make: () => Promise<Identity>,
    request: (server: RunningServer, identity: Identity) => Promise<number>
  ) => {
    const counts = { accepted: 0, refused: 0 }
    for (let round = 0; round < rounds; round++) {
      const [first, second] = servers as readonly [RunningServer, RunningServer]
      const [ending, other] = round % 2 === 0 ? [first, second] : [second, first]
      const identity = await make()
      // Both processes have the caller in their caches, and requests are under way while it ends.
      for (const server of servers) assert.strictEqual(await read(server, identity), 200)
      const before = Array.from({ length: 10 }, (_, n) => read(n % 2 === 0 ? first : second, identity))
      assert.strictEqual(await identity.end(ending, round), 200)
      const after = Array.from({ length: requestsEach }, (_, n) => request(n % 3 === 0 ? ending : other, identity))
      for (const status of await Promise.all(after)) {
        if (status === 200) counts.accepted++
        else if (status === 401) counts.refused++
      }
      await Promise.all(before)
    }
    return counts
  }

  const none = { accepted: 0, refused: rounds * requestsEach }

  it(`accepts 0 of ${rounds * requestsEach} requests with a token that start after the call that ended its grant returned (OAUTH-18)`, async () => {
    assert.deepStrictEqual(await counted(withToken, read), none)
  }, 300_000)

  it(`accepts 0 of ${rounds * requestsEach} requests of a session that start after the call that ended it returned (SESSION-11)`, async () => {
    assert.deepStrictEqual(await counted(withSession, read), none)
  }, 300_000)

  it(`opens 0 of ${rounds * requestsEach} streams for tokens and sessions that have ended, and closes the open ones within a second (LIVE-6)`, async () => {
    let round = 0
    const lasted: Array<Promise<number>> = []
    const make = async (): Promise<Identity> => {
      const identity = await (round++ % 2 === 0 ? withToken : withSession)()
      const open = await Promise.all(
        servers.flatMap((server) => [openStream(server, identity), openStream(server, identity)])
      )
      for (const { status } of open) assert.strictEqual(status, 200)
      return {
        ...identity,
        end: async (on, at) => {
          const status = await identity.end(on, at)
          lasted.push(...open.map(lasting))
          return status
        }
      }
    }
    const counts = await counted(make, async (server, identity) => statusOf(await openStream(server, identity)))
    assert.deepStrictEqual(counts, none)
    assert.isBelow(Math.max(...(await Promise.all(lasted))), 1000)
  }, 300_000)
})
