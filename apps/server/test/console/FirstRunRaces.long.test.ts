import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cookieOf, pageHeaders, signIn } from "../fixtures/Browser.ts"
import type { Reply } from "../fixtures/Client.ts"
import { dataOf, makeClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { adminToken, startServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const secretOf = ({ output }: RunningServer): string => /\/console\/first-run#(\S+)/.exec(output())?.[1] ?? ""

const post = ({ baseUrl }: RunningServer, path: string, body: unknown, headers = {}): Promise<Reply> =>
  makeClient(baseUrl).post(path, body, { ...pageHeaders(baseUrl), ...headers })

const open = (server: RunningServer, secret = secretOf(server)): Promise<Reply> =>
  post(server, "/demonstration", { secret })

const isPresent = async ({ baseUrl }: RunningServer): Promise<boolean> =>
  dataOf<{ present: boolean }>(await makeClient(baseUrl).get("/demonstration")).present

describe("the demonstration under kills and races", () => {
  let env: Readonly<Record<string, string | undefined>>
  let first: RunningServer
  let second: RunningServer

  beforeAll(async () => {
    env = { DATABASE_URL: await createDatabase(), DEMO: "true", NODE_ENV: undefined, SIGNUP: "admin" }
    first = await startServer(env)
    second = await startServer(env)
  })
  afterAll(async () => {
    await first.stop()
    await second.stop()
  })

  const counts = async () => {
    const { operator } = onMarket(second.baseUrl)
    const listings = dataOf<ReadonlyArray<unknown>>(await operator.get("/api/v1/admin/listings?limit=100"))
    const souls = dataOf<ReadonlyArray<unknown>>(await operator.get("/api/v1/admin/souls?limit=100"))
    const purchases = dataOf<ReadonlyArray<{ status: string }>>(await operator.get("/api/v1/admin/purchases?limit=100"))
    const accounts = dataOf<ReadonlyArray<unknown>>(await operator.get("/api/v1/admin/accounts?limit=100"))
    const pending = purchases.filter(({ status }) => status === "pending").length
    return [accounts, listings, souls, purchases].map(({ length }) => length).concat(pending)
  }

  it("a kill -9 while the shop is made leaves one that the link of another process completes (CONSOLE-57)", async () => {
    const cut = open(first).catch(() => undefined)
    await waitFor("the shop is begun", async () => ((await isPresent(second)) ? true : undefined))
    await first.kill()
    await cut
    assert.strictEqual((await open(second, secretOf(first))).status, 401)
    const opened = await open(second)
    assert.strictEqual(opened.status, 200, opened.text)
    assert.match(cookieOf(opened), /^session=/)
    assert.deepStrictEqual(await counts(), [6, 6, 2, 13, 1])
    await onMarket(second.baseUrl).assertBalanced()
  })

  it("of two requests with one secret, one gets the session, and no later one (CONSOLE-54)", async () => {
    first = await startServer(env)
    const replies = await Promise.all([open(first), open(first)])
    assert.deepStrictEqual(replies.map(({ status }) => status).toSorted(), [200, 401])
    assert.strictEqual((await open(first)).status, 401)
    assert.deepStrictEqual(await counts(), [6, 6, 2, 13, 1])
  })

  it("refuses other pages, other bodies, and callers that are neither the owner nor an operator (CONSOLE-54, CONSOLE-58)", async () => {
    const foreign = await post(first, "/demonstration", { secret: "x" }, { origin: "https://elsewhere.example" })
    assert.strictEqual(foreign.status, 403)
    for (const body of [{}, { secret: 1 }, "null", "{"])
      assert.strictEqual(
        (await post(first, "/demonstration", body, { "content-type": "application/json" })).status,
        400
      )
    assert.strictEqual((await post(first, "/demonstration/remove", {})).status, 401)
    const member = await signIn(first.baseUrl, { apiKey: (await onMarket(first.baseUrl).member()).key })
    assert.strictEqual((await member.post("/demonstration/remove", {})).status, 403)
    assert.isTrue(await isPresent(second))
  })

  it("wrong secrets count as failed attempts to sign in (CONSOLE-54)", async () => {
    const statuses = []
    for (let tries = 0; tries < 12; tries++) statuses.push((await open(first, "wrong")).status)
    assert.include(statuses, 401)
    assert.strictEqual(statuses.at(-1), 429)
  })

  it("a kill -9 while it is removed is continued by the next press, and concurrent presses do no harm (CONSOLE-57, CONSOLE-58)", async () => {
    // The failed attempts are counted for a minute.
    const operator = await waitFor(
      "signing in is possible again",
      async () => signIn(second.baseUrl, { adminToken }).catch(() => undefined),
      90_000
    )
    const { cookie } = operator
    const cut = post(first, "/demonstration/remove", {}, { cookie }).catch(() => undefined)
    await waitFor("the removal is begun", async () => ((await counts()).at(-1) === 0 ? true : undefined))
    await first.kill()
    await cut
    const removed = await Promise.all([
      operator.post("/demonstration/remove", {}),
      operator.post("/demonstration/remove", {})
    ])
    assert.deepStrictEqual(
      removed.map(({ status }) => status),
      [200, 200]
    )
    assert.isFalse(await isPresent(second))
    await onMarket(second.baseUrl).assertBalanced()
  })

  it("a server without it has none of its routes, and pages do not ask for them (CONSOLE-60)", async () => {
    first = await startServer({ ...env, DEMO: undefined })
    assert.strictEqual(secretOf(first), "")
    assert.strictEqual((await makeClient(first.baseUrl).get("/demonstration")).status, 404)
    assert.strictEqual((await open(first, "x")).status, 404)
    const { text } = await makeClient(first.baseUrl).get("/console/inbox", { accept: "text/html" })
    assert.notInclude(text, "data-demonstration")
  })
})
