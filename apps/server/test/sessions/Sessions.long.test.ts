import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cookieOf, makePage, pageHeaders, signIn } from "../fixtures/Browser.ts"
import type { Session, SignedIn } from "../fixtures/Browser.ts"
import { dataOf, failureOf, issuesOf, makeClient, send } from "../fixtures/Client.ts"
import type { Client, Reply } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { IssuedKey, Market, Member } from "../fixtures/Market.ts"
import { adminToken, startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const times = <A>(n: number, make: (i: number) => A): ReadonlyArray<A> => Array.from({ length: n }, (_, i) => make(i))

const hour = 3600

/** A secret of the right form that no session has. */
const forged = `ams_${"A".repeat(43)}`

describe("sessions of people in a browser, on two processes", () => {
  let servers: ReadonlyArray<RunningServer> = []
  let market: Market
  let first: string
  let second: string

  beforeAll(async () => {
    const url = await createDatabase()
    const env = { DATABASE_URL: url, LISTING_REVIEW: "auto", TEST_CLOCK: "true" }
    servers = await Promise.all([startServer(env), startServer(env)])
    ;[first = "", second = ""] = servers.map(({ baseUrl }) => baseUrl)
    market = onMarket(first, { testClock: true })
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
  })

  const signedIn = async (member: Member): Promise<SignedIn> => signIn(first, { apiKey: member.key })

  const linkOf = async (owner: Client): Promise<string> =>
    dataOf<{ url: string }>(await owner.post("/api/v1/sessions/links"), 201).url

  const works = async (client: Client): Promise<void> => {
    dataOf(await client.get("/api/v1/account"))
  }

  const ended = async (browser: SignedIn): Promise<void> => {
    for (const base of [first, second]) {
      failureOf(await browser.on(base).get("/api/v1/account"), 401, "INVALID_API_KEY")
    }
  }

  describe("signing in", () => {
    it("an owner's FULL key starts a session whose cookie only HTTP requests of the same site carry (SESSION-1, SESSION-2)", async () => {
      const ada = await market.member()
      const reply = await makeClient(first).post("/api/v1/sessions", { apiKey: ada.key })
      const session = dataOf<Session>(reply, 201)
      assert.deepInclude(session, { operator: false, elevatedUntil: null, current: true })
      assert.strictEqual(session.account?.id, ada.id)
      assert.match(session.id, /^ses_/)
      assert.match(
        reply.headers.get("set-cookie") ?? "",
        /^session=ams_[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/
      )
      assert.strictEqual(reply.headers.get("cache-control"), "no-store")
      assert.notInclude(reply.text, cookieOf(reply).slice("session=".length))
      await works(makePage(first, cookieOf(reply)))
      await works(makePage(second, cookieOf(reply)))
    })

    it("other keys do not sign in, and exactly one way must be given (SESSION-1)", async () => {
      const ada = await market.member()
      const guest = makeClient(first)
      const start = (body: unknown) => guest.post("/api/v1/sessions", body)
      const read = dataOf<IssuedKey>(await ada.post("/api/v1/keys", { name: "R", scope: "READ" }), 201)
      const agent = dataOf<{ id: string }>(await ada.post("/api/v1/agents", { name: "Shopper" }), 201)
      const agents = dataOf<IssuedKey>(
        await ada.post("/api/v1/keys", { name: "A", scope: "FULL", agentId: agent.id }),
        201
      )
      assert.deepStrictEqual(failureOf(await start({ apiKey: read.key }), 403, "INSUFFICIENT_PERMISSIONS"), {
        required: ["FULL"]
      })
      assert.deepStrictEqual(failureOf(await start({ apiKey: agents.key }), 403, "INSUFFICIENT_PERMISSIONS"), {
        required: ["owner"]
      })
      await market.advance(61)
      for (const body of [{}, { apiKey: ada.key, link: "http://localhost/sign-in#x" }]) {
        assert.deepStrictEqual(issuesOf(await start(body)), [""])
      }
      assert.deepStrictEqual(issuesOf(await start({ apiKey: 5 })), ["apiKey"])
      for (const body of [{ apiKey: "amk_wrong" }, { link: "nothing" }, { adminToken: "wrong" }]) {
        failureOf(await start(body), 401, "INVALID_API_KEY")
      }
      await market.advance(61)
    })

    it("a cookie that an attacker set never becomes a session: signing in sets a new secret (SESSION-2)", async () => {
      const ada = await market.member()
      const planted = `session=${forged}`
      const reply = await makeClient(first).post(
        "/api/v1/sessions",
        { apiKey: ada.key },
        { ...pageHeaders(first), cookie: planted }
      )
      dataOf(reply, 201)
      assert.notStrictEqual(cookieOf(reply), planted)
      failureOf(await makePage(first, planted).get("/api/v1/account"), 401, "INVALID_API_KEY")
      // Two cookies of the name: it is not known which of them the service has set.
      const both = makePage(first, `${planted}; ${cookieOf(reply)}`)
      failureOf(await both.get("/api/v1/account"), 401, "INVALID_API_KEY")
      // Another program on this host uses the name for something else.
      await works(makePage(first, `session=s%3Aother; ${cookieOf(reply)}`))
    })

    it("a page of another origin cannot sign somebody in (SESSION-5)", async () => {
      const ada = await market.member()
      for (const headers of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site", origin: new URL(first).origin }
      ]) {
        const reply = await makeClient(first).post("/api/v1/sessions", { apiKey: ada.key }, headers)
        failureOf(reply, 403, "INSUFFICIENT_PERMISSIONS")
        assert.isNull(reply.headers.get("set-cookie"))
      }
    })
  })

  describe("what a session may do", () => {
    it("it has the permissions of the account's FULL key, but is not a key (SESSION-3)", async () => {
      const ada = await market.member({ seller: true })
      const browser = await signedIn(ada)
      assert.strictEqual(dataOf<{ id: string }>(await browser.get("/api/v1/account")).id, ada.id)
      dataOf(await browser.post("/api/v1/keys", { name: "Made in a browser", scope: "BUYER" }), 201)
      assert.strictEqual((await market.listing(browser, "Made in a browser", 5)).startsWith("lst_"), true)
      dataOf(await browser.on(second).patch("/api/v1/account", { name: "Ada L." }))
      const { session } = await signedIn(ada)
      assert.strictEqual(session.account?.name, "Ada L.")
      assert.deepStrictEqual(failureOf(await browser.post("/api/v1/keys/refresh"), 403, "INSUFFICIENT_PERMISSIONS"), {
        required: ["key"]
      })
      failureOf(await browser.get("/api/v1/admin/accounts"), 403, "INSUFFICIENT_PERMISSIONS")
    })

    it("a key on the request takes precedence over the cookie, and needs no origin (SESSION-3)", async () => {
      const [ada, grace] = [await market.member(), await market.member()]
      const { cookie } = await signedIn(ada)
      const both = makeClient(first, grace.key)
      assert.strictEqual(dataOf<{ id: string }>(await both.get("/api/v1/account", { cookie })).id, grace.id)
      const wrong = makeClient(first, "amk_wrong")
      failureOf(await wrong.get("/api/v1/account", { cookie, ...pageHeaders(first) }), 401, "INVALID_API_KEY")
    })

    it("only pages of this origin use it: every other request with the cookie is refused (SESSION-4)", async () => {
      const ada = await market.member()
      const { cookie } = await signedIn(ada)
      const origin = new URL(first).origin
      const page = { cookie, "x-requested-with": "console" }
      const call = (method: string, headers: Readonly<Record<string, string>>): Promise<Reply> =>
        send(`${first}/api/v1/account`, method, headers, method === "PATCH" ? { name: "Changed" } : undefined)
      const refused: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
        ["GET", { ...page, origin: "https://evil.example" }],
        ["GET", { ...page, origin: "null" }],
        ["GET", { ...page, origin: origin.replace("http:", "https:") }],
        ["GET", { ...page, origin: origin.replace(/\d+$/, "1") }],
        ["GET", { ...page, origin: `${origin}.evil.example` }],
        ["GET", page],
        ["GET", { ...page, "sec-fetch-site": "same-site" }],
        ["GET", { ...page, "sec-fetch-site": "none" }],
        ["GET", { ...page, origin, "sec-fetch-site": "cross-site" }],
        ["GET", { cookie, origin }],
        ["GET", { cookie, origin, "x-requested-with": "XMLHttpRequest" }],
        ["PATCH", { ...page, "sec-fetch-site": "same-origin" }],
        ["PATCH", page],
        ["PATCH", { ...page, origin: "http://evil.example" }],
        ["PATCH", { cookie, origin }]
      ]
      for (const [method, headers] of refused) {
        failureOf(await call(method, headers), 403, "INSUFFICIENT_PERMISSIONS")
      }
      dataOf(await call("GET", { ...page, "sec-fetch-site": "same-origin" }))
      dataOf(await call("GET", { ...page, origin, "sec-fetch-site": "same-origin" }))
      dataOf(await call("PATCH", { ...page, origin }))
      assert.strictEqual(dataOf<{ name: string }>(await ada.get("/api/v1/account")).name, "Changed")
    })

    it("no other origin may ever send the header that a session needs (SESSION-4, CORS-1)", async () => {
      const response = await fetch(`${first}/api/v1/account`, { method: "OPTIONS" })
      const allowed = response.headers.get("access-control-allow-headers") ?? ""
      assert.include(allowed, "Authorization")
      assert.notMatch(allowed, /x-requested-with/i)
      assert.isNull(response.headers.get("access-control-allow-credentials"))
    })
  })

  describe("links", () => {
    it("a link signs in once, within two minutes; loading its page does not use it (SESSION-6, SESSION-7)", async () => {
      const ada = await market.member()
      const url = await linkOf(ada)
      assert.match(url, /^http:\/\/[^/]+\/sign-in#aml_[A-Za-z0-9_-]{43}$/)
      assert.isTrue(url.startsWith(first))
      // A mail scanner loads the page; browsers do not send the fragment.
      for (const _ of times(3, () => 0)) await fetch(url)
      const browser = await signIn(second, { link: url })
      assert.strictEqual(browser.session.account?.id, ada.id)
      const guest = makeClient(first)
      failureOf(await guest.post("/api/v1/sessions", { link: url }), 401, "INVALID_API_KEY")
      const late = await linkOf(ada)
      await market.advance(121)
      failureOf(await guest.post("/api/v1/sessions", { link: late }), 401, "INVALID_API_KEY")
      await market.advance(61)
    })

    it("exactly one of many concurrent requests with one link signs in, on both processes (SESSION-7)", async () => {
      const ada = await market.member()
      for (const round of times(5, (i) => i)) {
        const link = await linkOf(ada)
        const replies = await Promise.all(
          times(8, (i) => makeClient(i % 2 === 0 ? first : second).post("/api/v1/sessions", { link }))
        )
        const statuses = replies.map(({ status }) => status)
        assert.strictEqual(statuses.filter((status) => status === 201).length, 1, `${round}: ${statuses.join(" ")}`)
        await market.advance(61)
      }
      assert.lengthOf(dataOf<ReadonlyArray<Session>>(await ada.get("/api/v1/sessions")), 5)
    })

    it("a session may create links; a link does not work after its creator ended (SESSION-6, SESSION-12)", async () => {
      const ada = await market.member()
      const browser = await signedIn(ada)
      const link = await linkOf(browser)
      const other = await signIn(first, { link })
      const last = await linkOf(browser)
      dataOf(await browser.delete("/api/v1/sessions/current"))
      failureOf(await makeClient(first).post("/api/v1/sessions", { link: last }), 401, "INVALID_API_KEY")
      await works(other)
      // The session of the link ends with the key that started the first one.
      const spare = dataOf<IssuedKey>(await ada.post("/api/v1/keys", { name: "Spare", scope: "FULL" }), 201)
      dataOf(await makeClient(first, spare.key).delete(`/api/v1/keys/${ada.keyId}`))
      await ended(other)
      await market.advance(61)
    })
  })

  describe("the end of a session", () => {
    it("comes after 12 hours without use, and after 30 days in any case (SESSION-8)", async () => {
      const ada = await market.member()
      const [used, idle] = [await signedIn(ada), await signedIn(ada)]
      const wait = Date.parse(used.session.expiresAt) - Date.parse(used.session.createdAt)
      assert.strictEqual(wait, 12 * hour * 1000)
      await market.advance(11 * hour)
      // The session is used on one process only; the other one must see that use.
      await works(used.on(second))
      await waitFor("the use is stored", async () => {
        const [stored] = dataOf<ReadonlyArray<Session>>(await ada.get("/api/v1/sessions")).filter(
          ({ id }) => id === used.session.id
        )
        return stored?.expiresAt !== used.session.expiresAt
      })
      await market.advance(2 * hour)
      await works(used)
      failureOf(await idle.get("/api/v1/account"), 401, "INVALID_API_KEY")
      // Even with use, it ends after 30 days.
      for (const at of times(60, (i) => 13 + (i + 1) * 11.9)) {
        await market.advance(11.9 * hour)
        const { status } = await used.get("/api/v1/account")
        assert.strictEqual(status, at < 30 * 24 ? 200 : 401, `after ${at} hours`)
      }
      assert.lengthOf(dataOf<ReadonlyArray<Session>>(await ada.get("/api/v1/sessions")), 0)
    })

    it("the owner lists the active sessions and ends them with a session or a key (SESSION-9, SESSION-10)", async () => {
      const [ada, grace] = [await market.member(), await market.member()]
      const [here, there] = [await signedIn(ada), await signedIn(ada)]
      const stranger = await signedIn(grace)
      const list = dataOf<ReadonlyArray<Session>>(await here.get("/api/v1/sessions"))
      assert.deepStrictEqual(
        list.map(({ current, id }) => [id, current]),
        [
          [there.session.id, false],
          [here.session.id, true]
        ]
      )
      assert.deepInclude(dataOf<Session>(await here.get("/api/v1/sessions/current")), { id: here.session.id })
      failureOf(await ada.get("/api/v1/sessions/current"), 404, "SESSION_NOT_FOUND")
      const { key: readKey } = dataOf<IssuedKey>(await ada.post("/api/v1/keys", { name: "Reader", scope: "READ" }), 201)
      const reader = makeClient(first, readKey)
      assert.lengthOf(dataOf<ReadonlyArray<Session>>(await reader.get("/api/v1/sessions")), 2)
      failureOf(await reader.get("/api/v1/sessions/current"), 404, "SESSION_NOT_FOUND")
      failureOf(await reader.delete(`/api/v1/sessions/${there.session.id}`), 403, "INSUFFICIENT_PERMISSIONS")
      failureOf(await stranger.delete(`/api/v1/sessions/${there.session.id}`), 404, "SESSION_NOT_FOUND")
      assert.deepStrictEqual(dataOf(await here.delete(`/api/v1/sessions/${there.session.id}`)), {
        id: there.session.id,
        deleted: true
      })
      await ended(there)
      failureOf(await here.delete(`/api/v1/sessions/${there.session.id}`), 404, "SESSION_NOT_FOUND")
      const out = await here.delete("/api/v1/sessions/current")
      dataOf(out)
      assert.match(out.headers.get("set-cookie") ?? "", /^session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/)
      await ended(here)
      const again = await signedIn(ada)
      dataOf(await ada.delete(`/api/v1/sessions/${again.session.id}`))
      await ended(again)
      await works(stranger)
    })

    it("none of many requests that start after the end is accepted, on either process (SESSION-11)", async () => {
      const ada = await market.member()
      const operator = makeClient(first, adminToken)
      const endings: ReadonlyArray<readonly [string, (browser: SignedIn, member: Member) => Promise<Reply>]> = [
        ["sign out", (browser) => browser.delete("/api/v1/sessions/current")],
        ["end by key", (browser, member) => member.delete(`/api/v1/sessions/${browser.session.id}`)],
        ["key ended", (_, member) => member.delete(`/api/v1/keys/${member.keyId}`)],
        ["key ended by the operator", (_, member) => operator.delete(`/api/v1/admin/keys/${member.keyId}`)],
        ["recovery", (_, member) => operator.post(`/api/v1/admin/accounts/${member.id}/recover`)],
        ["erasure", (browser) => browser.delete("/api/v1/account")]
      ]
      for (const [name, end] of endings) {
        const member = await market.member()
        const browser = await signedIn(member)
        const clients = [browser.on(first), browser.on(second)]
        for (const client of clients) await works(client)
        const state = { isOver: false, accepted: 0 }
        const load = times(8, async (i) => {
          const client = clients[i % 2] as Client
          // Each sends ten more requests after the end.
          for (let late = 0; late < 10;) {
            const startedAfter = state.isOver
            const { status } = await client.get("/api/v1/account")
            if (!startedAfter) continue
            late++
            if (status !== 401) state.accepted++
          }
        })
        assert.strictEqual((await end(browser, member)).status, 200, name)
        state.isOver = true
        await Promise.all(load)
        assert.strictEqual(state.accepted, 0, name)
      }
      await works(ada)
    })

    it("a session ends when its key is rotated and the grace is over, or expires (SESSION-12)", async () => {
      const ada = await market.member()
      const soon = new Date(Date.now() + 365 * 24 * hour * 1000).toISOString()
      const rotated = dataOf<IssuedKey>(
        await ada.post("/api/v1/keys", { name: "K", scope: "FULL", expiresAt: soon }),
        201
      )
      const browser = await signIn(first, { apiKey: rotated.key })
      dataOf(await ada.post(`/api/v1/keys/${rotated.id}/rotate`, { graceSeconds: 60 }), 201)
      await works(browser)
      await market.advance(61)
      await ended(browser)
    })

    it("a recovery ends links too, and a session cannot create anything that survives it (SESSION-13)", async () => {
      const ada = await market.member()
      const browser = await signedIn(ada)
      const link = await linkOf(browser)
      dataOf(await market.operator.post(`/api/v1/admin/accounts/${ada.id}/recover`))
      failureOf(await makeClient(first).post("/api/v1/sessions", { link }), 401, "INVALID_API_KEY")
      for (const round of times(4, (i) => i)) {
        const member = await market.member()
        const thief = await signedIn(member)
        const [recovered, ...made] = await Promise.all([
          market.operator.post(`/api/v1/admin/accounts/${member.id}/recover`),
          ...times(6, (i) => thief.on(i % 2 === 0 ? first : second).post("/api/v1/keys", { name: "T", scope: "FULL" })),
          ...times(2, () => thief.post("/api/v1/sessions/links"))
        ])
        const owner = makeClient(first, dataOf<{ apiKey: IssuedKey }>(recovered as Reply).apiKey.key)
        const keys = dataOf<ReadonlyArray<{ status: string }>>(await owner.get("/api/v1/keys"))
        assert.lengthOf(
          keys.filter(({ status }) => status === "active"),
          1,
          `round ${round}`
        )
        for (const reply of made) {
          const made = reply.status === 201 ? dataOf<{ url?: string; key?: string }>(reply, 201) : {}
          if (made.url === undefined) continue
          failureOf(await makeClient(second).post("/api/v1/sessions", { link: made.url }), 401, "INVALID_API_KEY")
        }
        assert.lengthOf(dataOf<ReadonlyArray<Session>>(await owner.get("/api/v1/sessions")), 0)
      }
      await market.advance(61)
    })

    it("a frozen account signs in, reads and ends sessions and keys; it creates no link (SESSION-14)", async () => {
      const ada = await market.member()
      const other = await signedIn(ada)
      dataOf(await market.operator.post(`/api/v1/admin/accounts/${ada.id}/freeze`, { reason: "Reported as stolen" }))
      const browser = await signedIn(ada)
      await works(browser)
      failureOf(await browser.patch("/api/v1/account", { name: "New" }), 403, "ACCOUNT_FROZEN")
      failureOf(await browser.post("/api/v1/sessions/links"), 403, "ACCOUNT_FROZEN")
      dataOf(await browser.delete(`/api/v1/sessions/${other.session.id}`))
      await ended(other)
      dataOf(await browser.delete("/api/v1/sessions/current"))
    })
  })

  describe("operators", () => {
    it("the operator's token starts a session that opens the operator's routes alone (SESSION-15)", async () => {
      const operator = await signIn(first, { adminToken })
      assert.deepInclude(operator.session, { account: null, operator: true })
      const ada = await market.member()
      dataOf(await operator.on(second).patch(`/api/v1/admin/accounts/${ada.id}`, { tier: "pro" }))
      const actions = dataOf<ReadonlyArray<{ actor: string; action: string }>>(
        await operator.get(`/api/v1/admin/actions?subject=${ada.id}`)
      )
      assert.deepInclude(actions[0], { actor: "operator", action: "account.update" })
      failureOf(await operator.get("/api/v1/account"), 401, "INVALID_API_KEY")
      const list = dataOf<ReadonlyArray<Session>>(await operator.get("/api/v1/sessions"))
      assert.include(
        list.map(({ id }) => id),
        operator.session.id
      )
      failureOf(await ada.delete(`/api/v1/sessions/${operator.session.id}`), 404, "SESSION_NOT_FOUND")
      dataOf(await operator.delete("/api/v1/sessions/current"))
      failureOf(await operator.on(second).get("/api/v1/admin/accounts"), 401, "INVALID_API_KEY")
    })

    it("an operator's account acts as the operator in its sessions, under its own id, never with its keys (SESSION-16)", async () => {
      const [grace, ada] = [await market.member(), await market.member()]
      const browser = await signedIn(grace)
      failureOf(await browser.get("/api/v1/admin/accounts"), 403, "INSUFFICIENT_PERMISSIONS")
      const made = dataOf<{ operator: boolean }>(
        await market.operator.patch(`/api/v1/admin/accounts/${grace.id}`, { operator: true })
      )
      assert.isTrue(made.operator)
      assert.isTrue(dataOf<Session>(await browser.on(second).get("/api/v1/sessions/current")).operator)
      await works(browser)
      const frozen = await browser
        .on(second)
        .post(`/api/v1/admin/accounts/${ada.id}/freeze`, { reason: "Looks stolen" }, { "x-operator": "somebody else" })
      dataOf(frozen)
      const [action] = dataOf<ReadonlyArray<{ actor: string; action: string }>>(
        await market.operator.get(`/api/v1/admin/actions?actor=${grace.id}`)
      )
      assert.deepInclude(action, { actor: grace.id, action: "account.freeze" })
      failureOf(await grace.get("/api/v1/admin/accounts"), 403, "INSUFFICIENT_PERMISSIONS")
      dataOf(await market.operator.patch(`/api/v1/admin/accounts/${grace.id}`, { operator: false }))
      failureOf(await browser.on(second).get("/api/v1/admin/accounts"), 403, "INSUFFICIENT_PERMISSIONS")
      dataOf(await market.operator.patch(`/api/v1/admin/accounts/${grace.id}`, { operator: true }))
      dataOf(await market.operator.post(`/api/v1/admin/accounts/${grace.id}/freeze`, { reason: "Looks stolen" }))
      failureOf(await browser.get("/api/v1/admin/accounts"), 403, "INSUFFICIENT_PERMISSIONS")
    })
  })

  it("after ten failed attempts in a minute even the right secret is refused, on both processes, with RATE_LIMITS=off (SESSION-18)", async () => {
    const ada = await market.member()
    await market.advance(61)
    // Successful ones do not count.
    for (const _ of times(12, () => 0)) await signedIn(ada)
    const wrong = [{ apiKey: "amk_wrong" }, { link: "x#y" }, { adminToken: "wrong" }]
    const replies = await Promise.all(
      times(24, (i) => makeClient(i % 2 === 0 ? first : second).post("/api/v1/sessions", wrong[i % 3]))
    )
    const failed = replies.filter(({ status }) => status === 401)
    assert.strictEqual(failed.length, 10)
    assert.strictEqual(replies.filter(({ status }) => status === 429).length, 14)
    for (const base of [first, second]) {
      const refused = await makeClient(base).post("/api/v1/sessions", { apiKey: ada.key })
      assert.deepInclude(failureOf(refused, 429, "RATE_LIMIT_EXCEEDED"), { limit: 10, window: "1m" })
      assert.isAtMost(Number(refused.headers.get("retry-after")), 60)
      assert.isNull(refused.headers.get("set-cookie"))
    }
    await market.advance(61)
    await signedIn(ada)
  })

  it("no secret of a session or a link is in the logs (SESSION-22)", async () => {
    const ada = await market.member()
    const link = await linkOf(ada)
    const browser = await signIn(first, { link })
    await works(browser)
    const secrets = [browser.cookie.slice("session=".length), new URL(link).hash.slice(1)]
    for (const server of servers) for (const secret of secrets) assert.notInclude(server.output(), secret)
  })
})
