import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { openLocks } from "../fixtures/DatabaseLocks.ts"
import type { DatabaseLocks } from "../fixtures/DatabaseLocks.ts"
import { bodyOf, dataOf, failureOf, issuesOf, makeClient } from "../fixtures/Client.ts"
import type { Client, Reply } from "../fixtures/Client.ts"
import { listingDraft, onMarket } from "../fixtures/Market.ts"
import type { IssuedKey, Market, Member } from "../fixtures/Market.ts"
import { soulMarkdown } from "../fixtures/soulMarkdown.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const times = <A>(n: number, make: (i: number) => A): ReadonlyArray<A> => Array.from({ length: n }, (_, i) => make(i))

interface Agent {
  readonly id: string
  readonly frozenAt: string | null
  readonly retiredAt: string | null
}

interface Action {
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
  readonly reason: string | null
  readonly requestId: string
}

describe("control over keys, agents and accounts, on two processes", () => {
  let servers: ReadonlyArray<RunningServer> = []
  let market: Market
  let seller: Member
  let locks: DatabaseLocks

  beforeAll(async () => {
    const url = await createDatabase()
    const env = { DATABASE_URL: url, LISTING_REVIEW: "auto", TEST_CLOCK: "true" }
    locks = await openLocks(url)
    servers = await Promise.all([startServer(env), startServer(env)])
    market = onMarket(servers[0]!.baseUrl, { testClock: true })
    seller = await market.member({ seller: true })
  })
  afterAll(async () => {
    await locks?.close()
    await Promise.all(servers.map((server) => server.stop()))
  })

  /** The same key on each process. */
  const everywhere = (key: string): ReadonlyArray<Client> => servers.map(({ baseUrl }) => makeClient(baseUrl, key))

  const refusedEverywhere = async (key: string): Promise<void> => {
    for (const client of everywhere(key)) failureOf(await client.get("/api/v1/account"), 401, "INVALID_API_KEY")
  }

  const warm = async (key: string): Promise<void> => {
    for (const client of everywhere(key)) assert.strictEqual((await client.get("/api/souls")).status, 200)
  }

  const keyOf = async (owner: Client, more: object = {}): Promise<IssuedKey> =>
    dataOf<IssuedKey>(await owner.post("/api/v1/keys", { name: "A key", scope: "FULL", ...more }), 201)

  /** The ids of the active keys of the account that this key belongs to. */
  const activeKeys = async ({ key }: IssuedKey): Promise<ReadonlyArray<string>> => {
    const mine = makeClient(servers[0]!.baseUrl, key)
    const keys = dataOf<ReadonlyArray<{ id: string; status: string }>>(await mine.get("/api/v1/keys?limit=100"))
    return keys.filter(({ status }) => status === "active").map(({ id }) => id)
  }

  const agentOf = async (owner: Client): Promise<{ readonly agent: Agent; readonly key: string }> => {
    const agent = dataOf<Agent>(await owner.post("/api/v1/agents", { name: "Shopper" }), 201)
    const { key } = await keyOf(owner, { agentId: agent.id })
    return { agent, key }
  }

  const actionsOn = async (subject: string): Promise<ReadonlyArray<Action>> =>
    dataOf(await market.operator.get(`/api/v1/admin/actions?subject=${subject}`))

  describe("attack: a stolen account cannot be stopped", () => {
    it("deactivating the stolen key leaves the thief's refreshed keys; ?family=true ends all of them (KEY-10)", async () => {
      const owner = await market.member()
      const stolen = await keyOf(owner)
      const thief = makeClient(servers[1]!.baseUrl, stolen.key)
      const refreshed = dataOf<IssuedKey>(await thief.post("/api/v1/keys/refresh"), 201)
      const again = dataOf<IssuedKey>(
        await makeClient(servers[1]!.baseUrl, refreshed.key).post("/api/v1/keys/refresh"),
        201
      )
      await warm(again.key)
      // Deactivating only this key does not stop the thief.
      dataOf(await owner.delete(`/api/v1/keys/${stolen.id}`))
      assert.strictEqual((await everywhere(again.key)[1]!.get("/api/v1/account")).status, 200)
      // Ending its whole family does.
      dataOf(await owner.delete(`/api/v1/keys/${stolen.id}?family=true`))
      for (const { key } of [stolen, refreshed, again]) await refusedEverywhere(key)
      assert.strictEqual((await owner.get("/api/v1/account")).status, 200)
      failureOf(await owner.delete(`/api/v1/keys/${stolen.id}?family=true`), 409, "CONFLICT")
    })

    it("recover ends every key on every process, including the thief's first key and the agents' keys (OPERATOR-10)", async () => {
      const owner = await market.member()
      const { key: agentKey } = await agentOf(owner)
      const planted = await keyOf(owner)
      for (const key of [owner.key, agentKey, planted.key]) await warm(key)
      const path = `/api/v1/admin/accounts/${owner.id}/recover`
      failureOf(await owner.post(path), 403, "INSUFFICIENT_PERMISSIONS")
      const recovered = dataOf<{ apiKey: IssuedKey }>(
        await market.operator.post(path, undefined, { "x-operator": "grace", "x-request-id": "recovery-0001" })
      )
      for (const key of [owner.key, agentKey, planted.key]) await refusedEverywhere(key)
      for (const client of everywhere(recovered.apiKey.key)) {
        assert.strictEqual(dataOf<{ id: string }>(await client.get("/api/v1/account")).id, owner.id)
      }
      const [action] = await actionsOn(owner.id)
      assert.deepInclude(action, { actor: "grace", action: "account.recover", requestId: "recovery-0001" })
      failureOf(await market.operator.post("/api/v1/admin/accounts/usr_none/recover"), 404, "ACCOUNT_NOT_FOUND")
    })

    it("no key that a thief refreshes, creates or claims during a recovery survives it (OPERATOR-10)", async () => {
      for (let round = 0; round < 3; round++) {
        const owner = await market.member()
        const stray = dataOf<{ claimCode: string; apiKey: IssuedKey }>(
          await market.guest.post("/api/v1/agents/register", { name: "Sleeper" }),
          201
        )
        await warm(owner.key)
        const [one, two] = everywhere(owner.key)
        const attempts: ReadonlyArray<() => Promise<Reply>> = [
          ...times(6, (i) => () => (i % 2 === 0 ? one! : two!).post("/api/v1/keys/refresh", { graceSeconds: 3600 })),
          ...times(6, (i) => () => (i % 2 === 0 ? two! : one!).post("/api/v1/keys", { name: "x", scope: "FULL" })),
          () => two!.post("/api/v1/agents/claim", { claimCode: stray.claimCode })
        ]
        const running = attempts.map((attempt) => attempt())
        const recovery = market.operator.post(`/api/v1/admin/accounts/${owner.id}/recover`)
        const replies = await Promise.all([...running, ...attempts.map((attempt) => attempt())])
        const { apiKey } = dataOf<{ apiKey: IssuedKey }>(await recovery)
        for (const reply of replies) assert.include([200, 201, 401, 404, 409], reply.status, reply.text)
        const won = replies.filter(({ status }) => status === 201).map((reply) => dataOf<IssuedKey>(reply, 201).key)
        for (const key of won) await refusedEverywhere(key)
        assert.deepStrictEqual(await activeKeys(apiKey), [apiKey.id])
      }
    })

    describe("a recovery and a refresh of the thief, in an order that a held lock determines", () => {
      afterEach(() => locks.release())

      it("the recovery that is first refuses a refresh, a new key and a claim that were already checked (OPERATOR-10)", async () => {
        const owner = await market.member()
        const { claimCode } = dataOf<{ claimCode: string }>(
          await market.guest.post("/api/v1/agents/register", { name: "Sleeper" }),
          201
        )
        await warm(owner.key)
        const [one, two] = everywhere(owner.key)
        await locks.hold("SELECT FROM accounts WHERE id = $1 FOR UPDATE", [owner.id])
        const recovery = market.operator.post(`/api/v1/admin/accounts/${owner.id}/recover`)
        await locks.blocked(1)
        const attempts = [
          one!.post("/api/v1/keys/refresh", { graceSeconds: 3600 }),
          two!.post("/api/v1/keys", { name: "x", scope: "FULL" }),
          two!.post("/api/v1/agents/claim", { claimCode })
        ]
        await locks.blocked(4)
        await locks.release()
        const { apiKey } = dataOf<{ apiKey: IssuedKey }>(await recovery)
        for (const reply of await Promise.all(attempts)) failureOf(reply, 401, "INVALID_API_KEY")
        assert.deepStrictEqual(await activeKeys(apiKey), [apiKey.id])
      })

      it("the key of a refresh that is first is ended by the recovery that waits for it (OPERATOR-10)", async () => {
        const owner = await market.member()
        await warm(owner.key)
        await locks.hold("SELECT FROM api_keys WHERE id = $1 FOR UPDATE", [owner.keyId])
        const refresh = everywhere(owner.key)[1]!.post("/api/v1/keys/refresh", { graceSeconds: 3600 })
        await locks.blocked(1)
        const recovery = market.operator.post(`/api/v1/admin/accounts/${owner.id}/recover`)
        await locks.blocked(2)
        await locks.release()
        const { key } = dataOf<IssuedKey>(await refresh, 201)
        const { apiKey } = dataOf<{ apiKey: IssuedKey }>(await recovery)
        await refusedEverywhere(key)
        assert.deepStrictEqual(await activeKeys(apiKey), [apiKey.id])
      })
    })

    it("a frozen account can read, but every write is refused on every process (OPERATOR-7, ACCOUNT-12, ERROR-22, ERROR-23)", async () => {
      const owner = await market.member({ seller: true })
      const { agent, key: agentKey } = await agentOf(owner)
      const spare = await keyOf(owner)
      const skillId = await market.listing(owner, "Sold by a thief", 5)
      const soul = await market.soul(owner, "Soul of a thief", 5)
      await market.fund(owner, 100)
      const others = await market.listing(seller, "Wanted by a thief", 5)
      dataOf(await owner.patch("/api/v1/wallet/policy", { autoApprove: false }))
      dataOf(await owner.post("/api/v1/purchases", { skillId: others }), 201)
      for (const key of [owner.key, agentKey]) await warm(key)
      const freezing = `/api/v1/admin/accounts/${owner.id}/freeze`
      assert.deepStrictEqual(issuesOf(await market.operator.post(freezing, {})), ["reason"])
      const frozen = dataOf<{ frozenAt: string; frozenReason: string }>(
        await market.operator.post(freezing, { reason: "reported as stolen" })
      )
      assert.strictEqual(frozen.frozenReason, "reported as stolen")
      const details = { since: frozen.frozenAt, reason: "reported as stolen" }
      const writes: ReadonlyArray<(client: Client) => Promise<Reply>> = [
        (client) => client.post("/api/v1/purchases", { skillId: others }),
        (client) => client.post("/v1/listings", listingDraft("Another", 5)),
        (client) => client.patch("/api/v1/account", { name: "Renamed" }),
        (client) => client.post("/api/v1/keys", { name: "x", scope: "FULL" }),
        (client) => client.post("/api/v1/keys/refresh"),
        (client) => client.post("/api/v1/webhooks", { url: "https://example.com/x", events: ["*"] }),
        (client) =>
          client.post("/api/v1/wallet/withdrawals", {
            amount: 5,
            destinationAddress: "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
          })
      ]
      for (const client of everywhere(owner.key)) {
        for (const write of writes) {
          assert.deepStrictEqual(failureOf(await write(client), 403, "ACCOUNT_FROZEN"), details)
        }
        const create = await client.post("/api/v1/souls/create", { name: "x" })
        assert.deepStrictEqual(bodyOf(create, 403), { error: "Account is frozen" })
        for (const path of ["/api/v1/account", "/api/v1/purchases", "/api/v1/wallet/balance", "/api/v1/keys"]) {
          assert.strictEqual((await client.get(path)).status, 200, path)
        }
      }
      for (const client of everywhere(agentKey)) {
        failureOf(await client.post("/api/v1/purchases", { skillId: others }), 403, "ACCOUNT_FROZEN")
      }
      // Pending purchases are rejected and the money is returned.
      assert.deepInclude(await market.balanceOf(owner), { availableBalance: 100, lockedBalance: 0 })
      // Its items are no longer for sale.
      for (const path of [`/v1/listings/${skillId}`, `/api/v1/skills/${skillId}`, `/api/souls/${soul.slug}`]) {
        assert.strictEqual((await seller.get(path)).status, 404, path)
      }
      assert.notInclude((await seller.get("/api/v1/skills?query=thief")).text, skillId)
      assert.notInclude((await seller.get("/api/souls?limit=100")).text, soul.slug)
      failureOf(await (await market.fundedMember(10)).post("/api/v1/purchases", { skillId }), 404, "LISTING_NOT_FOUND")
      // The owner can still revoke and restrict access.
      assert.isNotNull(dataOf<Agent>(await owner.post(`/api/v1/agents/${agent.id}/freeze`)).frozenAt)
      dataOf(await owner.delete(`/api/v1/keys/${spare.id}`))
      dataOf(await market.operator.post(`/api/v1/admin/accounts/${owner.id}/unfreeze`))
      for (const path of [`/v1/listings/${skillId}`, `/api/v1/skills/${skillId}`, `/api/souls/${soul.slug}`]) {
        assert.strictEqual((await seller.get(path)).status, 200, path)
      }
      dataOf(await owner.patch("/api/v1/account", { name: "Back" }))
      const acts = (await actionsOn(owner.id)).filter(({ action }) => action !== "account.update")
      const log = acts.map(({ action, actor, reason }) => [action, actor, reason])
      assert.deepStrictEqual(log, [
        ["account.unfreeze", "operator", null],
        ["account.freeze", "operator", "reported as stolen"]
      ])
    })

    it("freezing an agent immediately refuses its writes on every process (AGENT-8, AGENT-9, ERROR-23)", async () => {
      const owner = await market.fundedMember(500)
      const { agent, key } = await agentOf(owner)
      await warm(key)
      const items: Array<string> = []
      for (let i = 0; i < 50; i += 10) {
        items.push(...(await Promise.all(times(10, (k) => market.listing(seller, `Bought in a rush ${i + k}`, 2)))))
      }
      const clients = everywhere(key)
      const buys = items.map((skillId, i) => clients[i % 2]!.post("/api/v1/purchases", { skillId }))
      const answered = Promise.all(buys)
      const frozen = dataOf<Agent>(await owner.post(`/api/v1/agents/${agent.id}/freeze`, { reason: "it ran away" }))
      const { balance } = await market.balanceOf(owner)
      const replies = await answered
      for (const reply of replies) assert.include([201, 403], reply.status, reply.text)
      const refused = replies.find(({ status }) => status === 403)
      if (refused !== undefined) {
        const details = failureOf(refused, 403, "AGENT_FROZEN")
        assert.deepStrictEqual(details, { since: frozen.frozenAt, reason: "it ran away" })
      }
      // No purchase was committed after the freeze returned.
      assert.strictEqual((await market.balanceOf(owner)).balance, balance)
      assert.strictEqual(500 - balance, 2 * replies.filter(({ status }) => status === 201).length)
      for (const client of clients) {
        failureOf(await client.post("/api/v1/purchases", { skillId: items[0] }), 403, "AGENT_FROZEN")
        failureOf(await client.post("/api/v1/keys/refresh"), 403, "AGENT_FROZEN")
        const create = await client.post("/api/v1/souls/create", { name: "x" })
        assert.deepStrictEqual(bodyOf(create, 403), { error: "Agent is frozen" })
        assert.strictEqual((await client.get("/api/v1/account")).status, 200)
      }
      assert.strictEqual((await owner.get("/api/v1/account")).status, 200)
      dataOf(await owner.post(`/api/v1/agents/${agent.id}/unfreeze`))
      const fresh = await market.listing(seller, "Bought after the thaw", 2)
      dataOf(await clients[1]!.post("/api/v1/purchases", { skillId: fresh }), 201)
      await market.assertBalanced()
    })
  })

  describe("attack: a claimed agent spends the owner's money", () => {
    const stray = async () =>
      dataOf<{ agent: Agent; claimCode: string; apiKey: IssuedKey }>(
        await market.guest.post("/api/v1/agents/register", { name: "Gift" }),
        201
      )

    it("the registrant of an agent cannot spend the owner's money: every paid purchase requires approval (AGENT-3)", async () => {
      const owner = await market.fundedMember(100)
      const { agent, apiKey, claimCode } = await stray()
      dataOf(await owner.post("/api/v1/agents/claim", { claimCode }))
      const attacker = makeClient(servers[1]!.baseUrl, apiKey.key)
      const skillId = await market.listing(seller, "Overpriced", 90)
      // This request would buy without the default policy.
      const bought = dataOf<{ status: string; licenseKey: string | null }>(
        await attacker.post("/api/v1/purchases", { skillId }),
        201
      )
      assert.deepInclude(bought, { status: "pending_approval", licenseKey: null })
      const policy = dataOf<{ autoApprove: boolean }>(await owner.get(`/api/v1/agents/${agent.id}/policy`))
      assert.isFalse(policy.autoApprove)
    })

    it("the policy in a claim applies to the agent immediately (AGENT-2)", async () => {
      const owner = await market.fundedMember(100)
      const { agent, apiKey, claimCode } = await stray()
      const limits = { autoApprove: true, perTransactionLimit: 5 }
      const wrong = { claimCode, policy: { perTransactionLimit: 5, dailyLimit: 1 } }
      assert.deepStrictEqual(issuesOf(await owner.post("/api/v1/agents/claim", wrong)), ["policy.dailyLimit"])
      dataOf(await owner.post("/api/v1/agents/claim", { claimCode, policy: limits }))
      const its = makeClient(servers[1]!.baseUrl, apiKey.key)
      const [cheap, dear] = [await market.listing(seller, "Cheap", 4), await market.listing(seller, "Dear", 6)]
      assert.deepInclude(dataOf<object>(await its.post("/api/v1/purchases", { skillId: cheap }), 201), {
        status: "completed"
      })
      failureOf(await its.post("/api/v1/purchases", { skillId: dear }), 403, "SPENDING_LIMIT_EXCEEDED")
      const policy = dataOf<object>(await owner.get(`/api/v1/agents/${agent.id}/policy`))
      assert.deepInclude(policy, limits)
    })
  })

  it("an agent is read, renamed and retired: its keys end, pending purchases are rejected, the record remains (AGENT-5, AGENT-6, AGENT-7)", async () => {
    const owner = await market.fundedMember(50)
    const { agent, key } = await agentOf(owner)
    await warm(key)
    dataOf(await owner.patch(`/api/v1/agents/${agent.id}/policy`, { autoApprove: false }))
    const skillId = await market.listing(seller, "Waiting for an agent", 20)
    dataOf(await everywhere(key)[1]!.post("/api/v1/purchases", { skillId }), 201)
    assert.strictEqual((await market.balanceOf(owner)).lockedBalance, 20)
    assert.deepInclude(dataOf<object>(await owner.patch(`/api/v1/agents/${agent.id}`, { name: "Buyer" })), {
      name: "Buyer"
    })
    assert.deepStrictEqual(dataOf(await owner.delete(`/api/v1/agents/${agent.id}`)), { id: agent.id, deleted: true })
    await refusedEverywhere(key)
    assert.deepInclude(await market.balanceOf(owner), { lockedBalance: 0, availableBalance: 50 })
    const kept = dataOf<Agent & { name: string }>(await owner.get(`/api/v1/agents/${agent.id}`))
    assert.deepInclude(kept, { name: "Buyer" })
    assert.isNotNull(kept.retiredAt)
    const refused = await owner.post("/api/v1/keys", { name: "x", scope: "READ", agentId: agent.id })
    assert.deepStrictEqual(failureOf(refused, 409, "CONFLICT"), { state: "retired" })
    for (const attempt of [
      seller.get(`/api/v1/agents/${agent.id}`),
      seller.patch(`/api/v1/agents/${agent.id}`, { name: "Mine" }),
      seller.delete(`/api/v1/agents/${agent.id}`),
      seller.post(`/api/v1/agents/${agent.id}/freeze`)
    ]) {
      failureOf(await attempt, 404, "AGENT_NOT_FOUND")
    }
  })

  it("a key is read with the day on which its rotation is due (KEY-5, KEY-11)", async () => {
    const owner = await market.member()
    const made = await keyOf(owner)
    const { key, ...shown } = made
    const read = await owner.get(`/api/v1/keys/${made.id}`)
    assert.deepStrictEqual<unknown>(dataOf(read), shown)
    assert.notInclude(read.text, key)
    const days = (Date.parse(String(shown["rotationDueAt"])) - Date.parse(String(shown["createdAt"]))) / 86_400_000
    assert.strictEqual(days, 90)
    failureOf(await seller.get(`/api/v1/keys/${made.id}`), 404, "KEY_NOT_FOUND")
  })

  describe("quotas", () => {
    const makers: Readonly<Record<string, (client: Client, i: number) => Promise<Reply>>> = {
      souls: (client, i) =>
        client.post("/api/v1/souls/create", {
          name: `Soul ${i} of many`,
          description: "One of more than there may be.",
          content: soulMarkdown("Many")
        }),
      listings: (client, i) => client.post("/v1/listings", listingDraft(`Listing ${i} of many`, 5)),
      agents: (client) => client.post("/api/v1/agents", { name: "One of many" }),
      keys: (client) => client.post("/api/v1/keys", { name: "One of many", scope: "READ" }),
      webhooks: (client) => client.post("/api/v1/webhooks", { url: "https://example.com/hook", events: ["*"] })
    }

    it("two processes together never exceed a quota, for every kind of record (ERROR-23, ERROR-28, QUOTA-1, QUOTA-4, OPERATOR-23)", async () => {
      const owner = await market.member({ seller: true })
      // The account's first key counts.
      const quotas = { souls: 4, listings: 4, agents: 4, keys: 5, webhooks: 4 }
      const account = `/api/v1/admin/accounts/${owner.id}`
      assert.deepInclude(dataOf<object>(await market.operator.patch(account, { quotas })), { quotas })
      const clients = everywhere(owner.key)
      for (const [name, make] of Object.entries(makers)) {
        const replies = await Promise.all(times(12, (i) => make(clients[i % 2]!, i)))
        assert.lengthOf(
          replies.filter(({ status }) => status === 201),
          4,
          name
        )
        const limit = name === "keys" ? 5 : 4
        for (const reply of replies.filter(({ status }) => status !== 201)) {
          if (name === "souls") assert.deepStrictEqual(bodyOf(reply, 403), { error: "Quota exceeded: souls" })
          else {
            const details = failureOf(reply, 403, "QUOTA_EXCEEDED")
            assert.deepStrictEqual(details, { quota: name, limit, used: limit })
          }
        }
      }
      assert.deepStrictEqual(issuesOf(await market.operator.patch(account, { quotas: { sols: 5 } })), ["quotas.sols"])
      const back = dataOf<{ quotas: object }>(await market.operator.patch(account, { quotas: { agents: null } }))
      assert.notProperty(back.quotas, "agents")
      dataOf(await owner.post("/api/v1/agents", { name: "The fifth" }), 201)
    })

    it("a free account has 20 agents, a pro one ten times that, an enterprise one any number (QUOTA-1, QUOTA-2)", async () => {
      const owner = await market.member()
      const make = () => owner.post("/api/v1/agents", { name: "One of many" })
      const replies = await Promise.all(times(21, make))
      assert.lengthOf(
        replies.filter(({ status }) => status === 201),
        20
      )
      for (const tier of ["pro", "enterprise"]) {
        dataOf(await market.operator.patch(`/api/v1/admin/accounts/${owner.id}`, { tier }))
        dataOf(await make(), 201)
      }
      dataOf(await market.operator.patch(`/api/v1/admin/accounts/${owner.id}`, { tier: "free" }))
      assert.deepStrictEqual(failureOf(await make(), 403, "QUOTA_EXCEEDED"), { quota: "agents", limit: 20, used: 22 })
    })

    it("an agent's webhooks count against its owner's (QUOTA-5)", async () => {
      const owner = await market.member()
      const { key } = await agentOf(owner)
      dataOf(await market.operator.patch(`/api/v1/admin/accounts/${owner.id}`, { quotas: { webhooks: 2 } }))
      const hook = (client: Client) => makers["webhooks"]!(client, 0)
      dataOf(await hook(owner), 201)
      dataOf(await hook(everywhere(key)[1]!), 201)
      for (const client of [owner, everywhere(key)[0]!]) failureOf(await hook(client), 403, "QUOTA_EXCEEDED")
    })
  })

  it("a frozen account can reject approvals and tighten policies, but not loosen them (ACCOUNT-12)", async () => {
    const owner = await market.fundedMember(50)
    const { agent } = await agentOf(owner)
    const policy = {
      autoApprove: true,
      autoApproveThreshold: null,
      perTransactionLimit: 20,
      dailyLimit: 30,
      weeklyLimit: null,
      monthlyLimit: null,
      allowedCategories: null,
      blockedSellers: null
    }
    for (const path of ["/api/v1/wallet/policy", `/api/v1/agents/${agent.id}/policy`]) {
      dataOf(await owner.put(path, policy))
    }
    dataOf(await market.operator.post(`/api/v1/admin/accounts/${owner.id}/freeze`, { reason: "a look" }))
    for (const path of ["/api/v1/wallet/policy", `/api/v1/agents/${agent.id}/policy`]) {
      failureOf(await owner.put(path, { ...policy, dailyLimit: 31 }), 403, "ACCOUNT_FROZEN")
      failureOf(await owner.put(path, { ...policy, dailyLimit: null }), 403, "ACCOUNT_FROZEN")
      dataOf(await owner.put(path, { ...policy, autoApprove: false, dailyLimit: 25 }))
      failureOf(await owner.put(path, { ...policy, dailyLimit: 25 }), 403, "ACCOUNT_FROZEN")
    }
    failureOf(await owner.post("/api/v1/approvals/apr_none/reject"), 404, "APPROVAL_NOT_FOUND")
    failureOf(await owner.post("/api/v1/approvals/apr_none/approve"), 403, "ACCOUNT_FROZEN")
  })

  describe("the operator", () => {
    it("finds accounts by name, e-mail, id and freeze, and reads all fields of one (OPERATOR-6)", async () => {
      const owner = await market.fundedMember(10)
      const name = `Zoë the ${Date.now()}th`
      dataOf(await owner.patch("/api/v1/account", { name, email: "zoe@findme.example" }))
      await agentOf(owner)
      const found = async (query: string) =>
        dataOf<ReadonlyArray<{ id: string }>>(await market.operator.get(`/api/v1/admin/accounts?${query}`)).map(
          ({ id }) => id
        )
      for (const search of [name.toUpperCase(), "ZOE@findme", owner.id]) {
        assert.deepStrictEqual(await found(`search=${encodeURIComponent(search)}`), [owner.id])
      }
      assert.deepStrictEqual(await found(`search=${owner.id}&frozen=true`), [])
      dataOf(await market.operator.post(`/api/v1/admin/accounts/${owner.id}/freeze`, { reason: "a look" }))
      assert.deepStrictEqual(await found(`search=${owner.id}&frozen=true`), [owner.id])
      const read = await market.operator.get(`/api/v1/admin/accounts/${owner.id}`)
      const overview = dataOf<{
        account: object
        balance: { balance: number }
        keys: ReadonlyArray<object>
        agents: ReadonlyArray<object>
        counts: object
      }>(read)
      assert.deepInclude(overview.account, { id: owner.id, name, frozenReason: "a look" })
      assert.deepInclude(overview.counts, { agents: 1, keys: 2, souls: 0 })
      assert.deepStrictEqual([overview.balance.balance, overview.keys.length, overview.agents.length], [10, 2, 1])
      assert.notInclude(read.text, owner.key)
      failureOf(await market.operator.get("/api/v1/admin/accounts/usr_none"), 404, "ACCOUNT_NOT_FOUND")
    })

    it("reads purchases of all accounts, by account, item and state (OPERATOR-11)", async () => {
      const buyer = await market.fundedMember(50)
      const skillId = await market.listing(seller, "Looked into", 10)
      const { purchaseId } = dataOf<{ purchaseId: string }>(await buyer.post("/api/v1/purchases", { skillId }), 201)
      const ids = async (query: string) =>
        dataOf<ReadonlyArray<{ id: string }>>(await market.operator.get(`/api/v1/admin/purchases?${query}`)).map(
          ({ id }) => id
        )
      for (const query of [`account=${buyer.id}`, `item=${skillId}`, `account=${seller.id}&item=${skillId}`]) {
        assert.deepStrictEqual(await ids(query), [purchaseId], query)
      }
      assert.deepStrictEqual(await ids(`account=${buyer.id}&status=refunded`), [])
      const one = dataOf<object>(await market.operator.get(`/api/v1/admin/purchases/${purchaseId}`))
      assert.deepInclude(one, {
        id: purchaseId,
        buyerId: buyer.id,
        sellerId: seller.id,
        amount: 10,
        status: "completed"
      })
      failureOf(await market.operator.get("/api/v1/admin/purchases/pur_none"), 404, "PURCHASE_NOT_FOUND")
      assert.deepStrictEqual(issuesOf(await market.operator.get("/api/v1/admin/purchases?status=lost")), ["status"])
      for (const query of ["account=", "account=NaN", `account=${skillId}`, "item=", "item=-1", `item=${buyer.id}`]) {
        assert.deepStrictEqual(issuesOf(await market.operator.get(`/api/v1/admin/purchases?${query}`)), [
          query.slice(0, query.indexOf("="))
        ])
      }
      for (const query of ["subject=", "subject=null", "subject=0x10", "actor=%E2%80%8B", `actor=${"x".repeat(101)}`]) {
        assert.deepStrictEqual(issuesOf(await market.operator.get(`/api/v1/admin/actions?${query}`)), [
          query.slice(0, query.indexOf("="))
        ])
      }
    })

    it("ends any key on every process, and the action is logged with operator and request (OPERATOR-9, OPERATOR-14, OPERATOR-25)", async () => {
      const owner = await market.member()
      const planted = await keyOf(owner)
      await warm(planted.key)
      const path = `/api/v1/admin/keys/${planted.id}`
      const by = { "x-operator": "grace hopper", "x-request-id": "ending-0001" }
      dataOf(await market.operator.delete(path, by))
      await refusedEverywhere(planted.key)
      failureOf(await market.operator.delete(path), 409, "CONFLICT")
      failureOf(await market.operator.delete("/api/v1/admin/keys/key_none"), 404, "KEY_NOT_FOUND")
      const [action, ...more] = await actionsOn(planted.id)
      assert.lengthOf(more, 0)
      assert.deepInclude(action, { actor: "grace hopper", action: "key.end", requestId: "ending-0001" })
      assert.deepStrictEqual([action?.before, action?.after], [{ status: "active" }, { status: "deactivated" }])
      const byActor = dataOf<ReadonlyArray<Action>>(
        await market.operator.get("/api/v1/admin/actions?actor=grace%20hopper")
      )
      assert.deepStrictEqual(
        byActor.map(({ subject }) => subject),
        [planted.id]
      )
      const line = await waitFor("the log has the request", async () =>
        servers[0]!
          .output()
          .split("\n")
          .find((text) => text.includes("ending-0001"))
      )
      assert.include(line, '"operator":"grace hopper"')
      assert.include(line, `"target":"${planted.id}"`)
    })

    it("decides on listings, and each decision is logged with what it changed (OPERATOR-14)", async () => {
      const id = await market.listing(seller, "Decided upon", 5)
      const path = `/api/v1/admin/listings/${id}`
      dataOf(await market.operator.post(`${path}/feature`, { featured: true }))
      dataOf(await market.operator.post(`${path}/suspend`, { reason: "copied" }, { "x-operator": "grace" }))
      failureOf(await market.operator.post(`${path}/suspend`), 409, "CONFLICT")
      const logged = (await actionsOn(id)).map(({ action, actor, after, before }) => [action, actor, before, after])
      assert.deepStrictEqual(logged, [
        [
          "listing.suspend",
          "grace",
          { status: "approved", reasonCode: null, rejectionReason: null },
          { status: "suspended", reasonCode: "other", rejectionReason: "copied" }
        ],
        ["listing.feature", "operator", { featured: false }, { featured: true }]
      ])
    })

    it("gets an error for unknown fields and for operator names with hidden characters (OPERATOR-16, OPERATOR-24)", async () => {
      const owner = await market.member()
      const account = `/api/v1/admin/accounts/${owner.id}`
      assert.deepStrictEqual(issuesOf(await market.operator.patch(account, { tear: "pro", seller: true })), ["tear"])
      assert.deepStrictEqual(issuesOf(await market.operator.post(`${account}/freeze`, { reason: "x", until: "y" })), [
        "until"
      ])
      assert.deepStrictEqual(issuesOf(await market.operator.post(`${account}/freeze`, { until: "y" })), [
        "reason",
        "until"
      ])
      for (const path of ["unfreeze", "recover"]) {
        const withField = await market.operator.post(`${account}/${path}`, { reasons: "x", reason: "" })
        assert.deepStrictEqual(issuesOf(withField), ["reason", "reasons"], path)
      }
      dataOf(await market.operator.patch(account, { tier: "free", reason: "requested by mail" }))
      assert.strictEqual((await actionsOn(owner.id))[0]?.reason, "requested by mail")
      const named = await market.operator.post(`${account}/freeze`, { reason: "x" }, { "x-operator": "a".repeat(101) })
      assert.deepStrictEqual(issuesOf(named), ["x-operator"])
      assert.deepInclude(dataOf<object>(await owner.get("/api/v1/account")), { seller: false, tier: "free" })
      assert.lengthOf(await actionsOn(owner.id), 1)
    })
  })
})
