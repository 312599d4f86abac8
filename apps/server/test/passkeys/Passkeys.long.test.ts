import { SoftwareAuthenticator } from "@agent-marketplace/fixtures/passkeys/SoftwareAuthenticator"
import { freePort } from "@agent-marketplace/http/server/freePort"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cookieOf, makePage } from "../fixtures/Browser.ts"
import type { Session, SignedIn } from "../fixtures/Browser.ts"
import { dataOf, failureOf, issuesOf, makeClient } from "../fixtures/Client.ts"
import type { Client, Reply } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { IssuedKey, Market, Member } from "../fixtures/Market.ts"
import { adminToken, startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

const times = <A>(n: number, make: (i: number) => A): ReadonlyArray<A> => Array.from({ length: n }, (_, i) => make(i))

const rpId = "market.localhost"
const origin = "https://market.localhost"
const ceremony = { origin, rpId }

interface Options {
  readonly challenge: string
  readonly rpId: string
  readonly userVerification: string
  readonly user: { readonly id: string }
  readonly excludeCredentials: ReadonlyArray<{ readonly id: string }>
  readonly allowCredentials: ReadonlyArray<{ readonly id: string }>
}

interface Passkey {
  readonly id: string
  readonly name: string
  readonly transports: ReadonlyArray<string>
  readonly backedUp: boolean
  readonly lastUsedAt: string | null
}

interface Holder {
  readonly member: Member
  readonly browser: SignedIn
  readonly device: SoftwareAuthenticator
  readonly passkey: Passkey
}

describe("passkeys, on two processes", () => {
  let servers: ReadonlyArray<RunningServer> = []
  let market: Market
  let first: string
  let second: string

  beforeAll(async () => {
    const env = { DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto", TEST_CLOCK: "true", BASE_URL: origin }
    const port = async () => String(await Effect.runPromise(freePort("127.0.0.1")))
    const ports = [await port(), await port()]
    servers = await Promise.all(ports.map((PORT) => startServer({ ...env, PORT })))
    ;[first = "", second = ""] = servers.map(({ baseUrl }) => baseUrl)
    market = onMarket(first, { testClock: true })
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
  })

  const page = { origin, "x-requested-with": "console" }

  const on = (base: string, cookie: string): Client => makePage(base, cookie, origin)

  const started = async (reply: Reply): Promise<SignedIn> => {
    const session = dataOf<Session>(reply, 201)
    const cookie = cookieOf(reply)
    return { ...on(first, cookie), session, cookie, on: (base) => on(base, cookie) }
  }

  const signedIn = async ({ key }: Member): Promise<SignedIn> =>
    started(await makeClient(first).post("/api/v1/sessions", { apiKey: key }, page))

  const optionsOf = async (client: Client, path: string): Promise<Options> =>
    dataOf<Options>(await client.post(path, {}))

  const register = async (browser: Client, device: SoftwareAuthenticator, name = "My laptop"): Promise<Passkey> => {
    const options = await optionsOf(browser, "/api/v1/passkeys/options")
    return dataOf<Passkey>(await browser.post("/api/v1/passkeys", { ...device.create(options, ceremony), name }), 201)
  }

  const holder = async (): Promise<Holder> => {
    const member = await market.member()
    const browser = await signedIn(member)
    const device = new SoftwareAuthenticator()
    return { member, browser, device, passkey: await register(browser, device) }
  }

  const signInOptions = () => optionsOf(makeClient(second), "/api/v1/sessions/passkey/options")

  const present = (answer: unknown, base = first) => makeClient(base).post("/api/v1/sessions/passkey", answer, page)

  const stepUp = async ({ browser, device }: Pick<Holder, "browser" | "device">): Promise<Reply> => {
    const options = await optionsOf(browser, "/api/v1/sessions/current/step-up/options")
    return browser.post("/api/v1/sessions/current/step-up", device.get(options, ceremony))
  }

  it("a session registers a passkey, with which its account signs in and which its export contains (PASSKEY-1, PASSKEY-3, ACCOUNT-6)", async () => {
    const { browser, device, member, passkey } = await holder()
    assert.deepInclude(passkey, { name: "My laptop", transports: ["internal"], backedUp: false, lastUsedAt: null })
    const options = await signInOptions()
    assert.deepInclude(options, { rpId, userVerification: "required", allowCredentials: [] })
    const reply = await present(device.get(options, ceremony), second)
    assert.match(reply.headers.get("set-cookie") ?? "", /^__Host-session=ams_\S+; .*Secure$/)
    const other = await started(reply)
    assert.strictEqual(other.session.account?.id, member.id)
    assert.isNull(other.session.elevatedUntil)
    dataOf(await other.get("/api/v1/account"))
    const [listed] = dataOf<ReadonlyArray<Passkey>>(await browser.get("/api/v1/passkeys"))
    assert.strictEqual(listed?.id, passkey.id)
    assert.isString(listed?.lastUsedAt)
    const exported = await member.get("/api/v1/account/export")
    assert.deepStrictEqual(dataOf<{ passkeys: object }>(exported).passkeys, [listed])
  })

  it("are for sessions of accounts only, and belong to one account (PASSKEY-2)", async () => {
    const { member, passkey } = await holder()
    failureOf(await member.get("/api/v1/passkeys"), 403, "INSUFFICIENT_PERMISSIONS")
    const operator = await started(await makeClient(first).post("/api/v1/sessions", { adminToken }, page))
    failureOf(await operator.get("/api/v1/passkeys"), 403, "INSUFFICIENT_PERMISSIONS")
    const stranger = await signedIn(await market.member())
    failureOf(await stranger.patch(`/api/v1/passkeys/${passkey.id}`, { name: "Mine" }), 404, "PASSKEY_NOT_FOUND")
    failureOf(await stranger.delete(`/api/v1/passkeys/${passkey.id}`), 404, "PASSKEY_NOT_FOUND")
  })

  it("the listed operations need a confirmation as soon as there is a passkey, on both processes (SESSION-17, PASSKEY-4, ERROR-29)", async () => {
    const member = await market.member()
    const browser = await signedIn(member)
    dataOf(await browser.on(second).post("/api/v1/keys", { name: "Before", scope: "READ" }), 201)
    const device = new SoftwareAuthenticator()
    const passkey = await register(browser, device)
    const guarded: ReadonlyArray<(client: Client) => Promise<Reply>> = [
      (client) => client.post("/api/v1/keys", { name: "K", scope: "READ" }),
      (client) => client.post(`/api/v1/keys/${member.keyId}/rotate`, {}),
      (client) => client.post("/api/v1/agents/claim", { claimCode: "code" }),
      (client) => client.post("/api/v1/agents/claim", { claimCode: "code", policy: { autoApprove: true } }),
      (client) => client.post("/api/v1/approvals/apr_1/approve"),
      (client) => client.post("/api/v1/wallet/withdrawals", { amount: 10, destinationAddress: "T" }),
      (client) => client.put("/api/v1/wallet/policy", {}),
      (client) => client.patch("/api/v1/wallet/policy", {}),
      (client) => client.put("/api/v1/agents/agt_1/policy", {}),
      (client) => client.patch("/api/v1/agents/agt_1/policy", {}),
      (client) => client.patch("/api/v1/wallet/withdrawal-rules", {}),
      (client) => client.post("/api/v1/wallet/addresses", { address: "T" }),
      (client) => client.post("/api/v1/oauth/requests/oar_1/decision", { approve: true }),
      (client) =>
        client.post("/api/v1/oauth/clients", { client_name: "Helper", redirect_uris: ["https://app.example.com/"] }),
      (client) => client.post("/api/v1/passkeys/options"),
      (client) => client.post("/api/v1/passkeys", {}),
      (client) => client.delete(`/api/v1/passkeys/${passkey.id}`)
    ]
    for (const base of [first, second]) {
      for (const call of guarded) failureOf(await call(browser.on(base)), 403, "STEP_UP_REQUIRED")
    }
    // Operations that keep an owner in control need no confirmation, and neither do API keys.
    dataOf(await member.post("/api/v1/keys", { name: "By key", scope: "READ" }), 201)
    dataOf(await browser.get("/api/v1/passkeys"))
    failureOf(await browser.post("/api/v1/approvals/apr_1/reject"), 404, "APPROVAL_NOT_FOUND")

    const elevated = dataOf<Session>(await stepUp({ browser, device }))
    assert.isAbove(Date.parse(elevated.elevatedUntil ?? ""), Date.parse(elevated.createdAt))
    dataOf(await browser.on(second).post("/api/v1/keys", { name: "After", scope: "READ" }), 201)
    // Another session of the same account is not confirmed.
    const other = await signedIn(member)
    failureOf(await other.post("/api/v1/keys", { name: "K", scope: "READ" }), 403, "STEP_UP_REQUIRED")
    await market.advance(301)
    failureOf(await browser.on(second).post("/api/v1/keys", { name: "K", scope: "READ" }), 403, "STEP_UP_REQUIRED")
  })

  it("on the page of an approval, approving needs a confirmation and rejecting does not (SESSION-17, APPROVAL-9)", async () => {
    const { browser, device, member } = await holder()
    await market.fund(member, 20)
    dataOf(await member.patch("/api/v1/wallet/policy", { autoApprove: false }))
    const seller = await market.member({ seller: true })
    const waits = async () => {
      const skillId = await market.listing(seller, "Sorter", 5)
      dataOf(await member.post("/api/v1/purchases", { skillId }), 201)
      const [found] = dataOf<ReadonlyArray<{ id: string }>>(await member.get("/api/v1/approvals?status=pending"))
      return found?.id ?? ""
    }
    const statusOf = async (id: string) =>
      dataOf<{ status: string }>(await member.get(`/api/v1/approvals/${id}`)).status
    const own = { cookie: browser.cookie, origin, "sec-fetch-site": "same-origin" }
    const pageOf = async (id: string) =>
      (await fetch(`${first}/approvals/${id}`, { headers: { cookie: browser.cookie } })).text()
    const decide = async (id: string, decision: string) => {
      const token = /name="token"\s+value="([^"]+)"/.exec(await pageOf(id))?.[1] ?? ""
      const body = new URLSearchParams({ approval: id, token, decision })
      return (await fetch(`${first}/approvals/${id}`, { method: "POST", redirect: "manual", headers: own, body }))
        .status
    }
    const id = await waits()
    assert.include(await pageOf(id), `href="${origin}/step-up?approval=${id}"`)
    assert.notInclude(await pageOf(id), 'value="approve"')
    assert.strictEqual(await decide(id, "approve"), 403)
    assert.strictEqual(await statusOf(id), "pending")
    assert.strictEqual(await decide(id, "reject"), 303)
    assert.strictEqual(await statusOf(id), "rejected")
    const other = await waits()
    dataOf(await stepUp({ browser, device }))
    assert.include(await pageOf(other), 'value="approve"')
    assert.strictEqual(await decide(other, "approve"), 303)
    assert.strictEqual(await statusOf(other), "approved")
  })

  it("an operator confirms before a recovery and a refund in that role (SESSION-17)", async () => {
    const { browser, device, member } = await holder()
    dataOf(await market.operator.patch(`/api/v1/admin/accounts/${member.id}`, { operator: true }))
    const other = await market.member()
    failureOf(await browser.post(`/api/v1/admin/accounts/${other.id}/recover`), 403, "STEP_UP_REQUIRED")
    failureOf(await browser.post("/api/v1/purchases/pur_1/refund"), 403, "STEP_UP_REQUIRED")
    dataOf(await stepUp({ browser, device }))
    dataOf(await browser.post(`/api/v1/admin/accounts/${other.id}/recover`))
    failureOf(await browser.post("/api/v1/purchases/pur_1/refund"), 404, "PURCHASE_NOT_FOUND")
  })

  it("removing a passkey needs a confirmation, renaming does not; without passkeys no operation needs one (PASSKEY-2)", async () => {
    const { browser, device, passkey } = await holder()
    assert.strictEqual(
      dataOf<Passkey>(await browser.patch(`/api/v1/passkeys/${passkey.id}`, { name: "Old laptop" })).name,
      "Old laptop"
    )
    dataOf(await stepUp({ browser, device }))
    const options = await optionsOf(browser, "/api/v1/passkeys/options")
    assert.deepStrictEqual(
      options.excludeCredentials.map(({ id }) => id),
      [device.id.toString("base64url")]
    )
    const again = await browser.post("/api/v1/passkeys", device.create(options, ceremony))
    assert.deepInclude(failureOf(again, 409, "CONFLICT"), { state: "registered" })
    dataOf(await browser.delete(`/api/v1/passkeys/${passkey.id}`))
    failureOf(await present(device.get(await signInOptions(), ceremony)), 401, "INVALID_API_KEY")
    await market.advance(301)
    dataOf(await browser.on(second).post("/api/v1/keys", { name: "K", scope: "READ" }), 201)
    await market.advance(61)
  })

  it("an account has at most 20, also if they are registered at once (PASSKEY-2)", async () => {
    const browser = await signedIn(await market.member())
    const answers = []
    for (const _ of times(24, () => 0)) {
      answers.push(new SoftwareAuthenticator().create(await optionsOf(browser, "/api/v1/passkeys/options"), ceremony))
    }
    // All pass the check for a confirmation, because there is no passkey yet.
    const replies = await Promise.all(
      answers.map((answer, i) => browser.on(i % 2 ? first : second).post("/api/v1/passkeys", answer))
    )
    const added = replies.filter(({ status }) => status === 201).length
    assert.isAtMost(added, 20)
    assert.lengthOf(dataOf<ReadonlyArray<Passkey>>(await browser.get("/api/v1/passkeys?limit=100")), added)
  })

  describe("attacks", () => {
    it("an assertion works once, also if it is sent many times at once to both processes (PASSKEY-5)", async () => {
      const { device, member } = await holder()
      for (const round of times(4, (i) => i)) {
        const answer = device.get(await signInOptions(), ceremony)
        const replies = await Promise.all(times(8, (i) => present(answer, i % 2 === 0 ? first : second)))
        const statuses = replies.map(({ status }) => status)
        assert.strictEqual(statuses.filter((status) => status === 201).length, 1, `${round}: ${statuses.join(" ")}`)
        failureOf(await present(answer), 401, "INVALID_API_KEY")
        await market.advance(61)
      }
      const sessions = dataOf<ReadonlyArray<Session>>(await member.get("/api/v1/sessions"))
      assert.lengthOf(sessions, 5)
    })

    it("a challenge is accepted for five minutes, for its purpose and its session alone (PASSKEY-5)", async () => {
      const { browser, device } = await holder()
      const late = await signInOptions()
      await market.advance(301)
      failureOf(await present(device.get(late, ceremony)), 401, "INVALID_API_KEY")
      const forStepUp = await optionsOf(browser, "/api/v1/sessions/current/step-up/options")
      failureOf(await present(device.get(forStepUp, ceremony)), 401, "INVALID_API_KEY")
      failureOf(
        await browser.post("/api/v1/sessions/current/step-up", device.get(await signInOptions(), ceremony)),
        403,
        "STEP_UP_REQUIRED"
      )
      const made = { challenge: Buffer.alloc(32, 7).toString("base64url") }
      failureOf(await present(device.get(made, ceremony)), 401, "INVALID_API_KEY")
      // A registration that another session started.
      const stranger = await signedIn(await market.member())
      const other = await optionsOf(stranger, "/api/v1/passkeys/options")
      const victim = await signedIn(await market.member())
      const answer = new SoftwareAuthenticator().create(other, ceremony)
      assert.deepStrictEqual(issuesOf(await victim.post("/api/v1/passkeys", answer)), [""])
      assert.deepStrictEqual(issuesOf(await stranger.post("/api/v1/passkeys", answer)), [""], "it is spent")
      await market.advance(61)
    })

    it("another origin, another host, an unverified person and another ceremony are refused (PASSKEY-6)", async () => {
      const { device } = await holder()
      const wrong = [
        { ...ceremony, origin: "https://evil.example" },
        { ...ceremony, origin: "http://market.localhost" },
        { ...ceremony, rpId: "evil.example" },
        { ...ceremony, rpId: "localhost" },
        { ...ceremony, verified: false },
        { ...ceremony, type: "webauthn.create" }
      ]
      for (const each of wrong) {
        failureOf(await present(device.get(await signInOptions(), each)), 401, "INVALID_API_KEY")
      }
      await market.advance(61)
      const browser = await signedIn(await market.member())
      for (const each of [...wrong.slice(0, 5), { ...ceremony, type: "webauthn.get" }]) {
        const options = await optionsOf(browser, "/api/v1/passkeys/options")
        const answer = new SoftwareAuthenticator().create(options, each)
        assert.deepStrictEqual(issuesOf(await browser.post("/api/v1/passkeys", answer)), [""])
      }
      dataOf(await present(device.get(await signInOptions(), ceremony)), 201)
      assert.lengthOf(dataOf<ReadonlyArray<Passkey>>(await browser.get("/api/v1/passkeys")), 0)
    })

    it("a counter that does not grow, a foreign signature and a foreign account are refused (PASSKEY-7)", async () => {
      const { browser, device, member } = await holder()
      dataOf(await present(device.get(await signInOptions(), { ...ceremony, counter: 10 })), 201)
      for (const counter of [10, 9, 0]) {
        failureOf(await present(device.get(await signInOptions(), { ...ceremony, counter })), 401, "INVALID_API_KEY")
      }
      const forged = new SoftwareAuthenticator().get(await signInOptions(), { ...ceremony, counter: 20 })
      const id = device.id.toString("base64url")
      const own = Buffer.from(member.id).toString("base64url")
      failureOf(
        await present({ ...forged, id, rawId: id, response: { ...forged.response, userHandle: own } }),
        401,
        "INVALID_API_KEY"
      )
      const answer = device.get(await signInOptions(), { ...ceremony, counter: 20 })
      const userHandle = Buffer.from("usr_somebody_else").toString("base64url")
      failureOf(await present({ ...answer, response: { ...answer.response, userHandle } }), 401, "INVALID_API_KEY")
      // Another account's passkey does not confirm this session.
      const other = await holder()
      const options = await optionsOf(browser, "/api/v1/sessions/current/step-up/options")
      const reply = await browser.post("/api/v1/sessions/current/step-up", other.device.get(options, ceremony))
      failureOf(reply, 403, "STEP_UP_REQUIRED")
      await market.advance(61)
    })

    it("a page of another origin cannot sign somebody in, and failed attempts count (SESSION-5, SESSION-18)", async () => {
      const { device } = await holder()
      const answer = device.get(await signInOptions(), ceremony)
      const evil = await makeClient(first).post("/api/v1/sessions/passkey", answer, { origin: "https://evil.example" })
      failureOf(evil, 403, "INSUFFICIENT_PERMISSIONS")
      const wrong = { ...answer, id: "AAAA", rawId: "AAAA" }
      const replies = await Promise.all(times(12, () => present(wrong)))
      assert.lengthOf(
        replies.filter(({ status }) => status === 401),
        10
      )
      failureOf(await present(device.get(await signInOptions(), ceremony)), 429, "RATE_LIMIT_EXCEEDED")
      await market.advance(61)
    })

    it("a recovery removes passkeys, and no session that one starts at that moment remains (PASSKEY-9)", async () => {
      for (const round of times(4, (i) => i)) {
        const { device, member } = await holder()
        const answers = []
        for (const _ of times(4, () => 0)) answers.push(device.get(await signInOptions(), ceremony))
        const [recovered] = await Promise.all([
          market.operator.post(`/api/v1/admin/accounts/${member.id}/recover`),
          ...answers.map((answer, i) => present(answer, i % 2 === 0 ? first : second))
        ])
        const owner = makeClient(first, dataOf<{ apiKey: IssuedKey }>(recovered as Reply).apiKey.key)
        assert.lengthOf(dataOf<ReadonlyArray<Session>>(await owner.get("/api/v1/sessions")), 0, `round ${round}`)
        failureOf(await present(device.get(await signInOptions(), ceremony)), 401, "INVALID_API_KEY")
        await market.advance(61)
      }
    })
  })

  it.each([
    ["/sign-in", "Use a passkey"],
    ["/step-up", "Confirm with a passkey"]
  ])("%s runs its own script alone and cannot be framed (SESSION-6, PASSKEY-10)", async (path, text) => {
    const response = await fetch(first + path)
    assert.strictEqual(response.status, 200)
    const policy = response.headers.get("content-security-policy") ?? ""
    assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+'; .*frame-ancestors 'none'$/)
    assert.notInclude(policy, "unsafe")
    assert.strictEqual(response.headers.get("x-frame-options"), "DENY")
    assert.include(await response.text(), text)
  })
})
