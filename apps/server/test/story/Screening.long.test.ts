import { TestAuthority } from "@agent-marketplace/fixtures/tls/TestAuthority"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { bare, TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { TronNode } from "@agent-marketplace/fixtures/tron/TronNode"
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, failureOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const xpub =
  "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd"
const hotKey = `${"0".repeat(63)}1`
const hotWallet = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
const token = "screening-token-of-this-test"
const thief = TronEncoding.nobody("a thief")
const friend = TronEncoding.nobody("a friend")
const suspect = TronEncoding.nobody("a suspect of the service")
const receiver = TronEncoding.nobody("a receiver")

interface HeldDeposit {
  readonly id: string
  readonly status: string
  readonly evidence: { readonly source: string; readonly reference: string } | null
}

type Behaviour = "honest" | "stalls" | "garbage" | "another address"

/** A screening service that flags the suspect, and misbehaves as a test says. */
const startService = async (authority: TestAuthority) => {
  const service = { behaviour: "honest" as Behaviour, url: "", asked: [] as Array<string>, close: () => {} }
  const answer = (body: string, response: ServerResponse) => {
    const { address } = JSON.parse(body) as { address: string }
    service.asked.push(address)
    if (service.behaviour === "stalls") return
    if (service.behaviour === "garbage") return void response.end("<html>certainly not flagged</html>")
    const about = service.behaviour === "another address" ? thief : address
    const flagged = address === suspect
    response.end(JSON.stringify({ address: about, flagged, reference: `case 7 ${token}` }))
  }
  const { cert, key } = authority.issue("screening")
  const server = createServer({ cert, key }, (request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => answer(body, response))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  service.url = `https://localhost:${(server.address() as AddressInfo).port}/check`
  service.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return service
}

describe("screening of a market on TRON, over HTTP", () => {
  const authority = new TestAuthority()
  const network = new TronNetwork()
  const node = new TronNode(network)
  let clock: NodeJS.Timeout
  let service: Awaited<ReturnType<typeof startService>>
  let server: RunningServer
  let market: Market
  let folder = ""
  const list = () => join(folder, "stolen.txt")

  /** Replaces the file by renaming another one, so that no process reads half of it. */
  const deny = async (...lines: ReadonlyArray<string>) => {
    await writeFile(`${list()}.new`, lines.join("\n"))
    await rename(`${list()}.new`, list())
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "screening-"))
    await deny("# Reported stolen", "", thief)
    await writeFile(join(folder, "ca.pem"), authority.cert)
    service = await startService(authority)
    network.fund(hotWallet, 10_000_000_000n)
    const url = await node.listen()
    clock = setInterval(() => network.mine(), 50)
    server = await startServer({
      DATABASE_URL: await createDatabase(),
      CHAIN: "tron",
      TRON_FULL_NODE_URL: url,
      TRON_START_BLOCK: "1",
      TRON_DEPOSIT_XPUB: xpub,
      TRON_HOT_WALLET_KEY: hotKey,
      SCREENING_DENY_LISTS: list(),
      SCREENING_URL: service.url,
      SCREENING_TOKEN: token,
      SCREENING_CA: join(folder, "ca.pem")
    })
    market = onMarket(server.baseUrl)
  })
  afterAll(async () => {
    clearInterval(clock)
    await server?.stop()
    service?.close()
    await node.close()
    await rm(folder, { recursive: true })
  })

  const addressOf = async (member: Member) =>
    dataOf<{ address: string }>(await member.get("/api/v1/wallet/deposit")).address

  const money = async (member: Member) => {
    const { availableBalance, pendingBalance } = dataOf<{ availableBalance: number; pendingBalance: number }>(
      await member.get("/api/v1/wallet/balance")
    )
    return [availableBalance, pendingBalance] as const
  }

  const until = (member: Member, available: number, pending: number) =>
    waitFor(`${available} available, ${pending} pending`, async () => {
      const [have, waits] = await money(member)
      return have === available && waits === pending
    })

  const held = async (member: Member, status = "held") => {
    const all = dataOf<ReadonlyArray<HeldDeposit & { readonly accountId: string }>>(
      await market.operator.get(`/api/v1/admin/deposits?status=${status}&limit=100`)
    )
    return all.filter(({ accountId }) => accountId === member.id)
  }

  const conditions = async () => {
    const { conditions: open = [], status } = JSON.parse((await market.guest.get("/readyz")).text) as {
      readonly status: string
      readonly conditions?: ReadonlyArray<{ readonly kind: string }>
    }
    return { status, kinds: open.map(({ kind }) => kind) }
  }

  const untilCondition = (kind: string, isOpen: boolean) =>
    waitFor(`${kind} is ${isOpen}`, async () => (await conditions()).kinds.includes(kind) === isOpen)

  const decide = (id: string, decision: "release" | "reject", reason = "Decided by a test") =>
    market.operator.post(`/api/v1/admin/deposits/${id}/${decision}`, { reason })

  it("a deposit from a listed sender is held; one of two concurrent releases credits it (SCREENING-3, SCREENING-6)", async () => {
    const member = await market.member()
    const address = await addressOf(member)
    network.deposit(address, 30_000_000n, thief)
    network.deposit(address, 5_000_000n, friend)
    await waitFor("it is held", async () => (await held(member)).length === 1)
    await until(member, 5, 30)
    const [deposit] = await held(member)
    if (deposit === undefined) return assert.fail("nothing is held")
    assert.deepStrictEqual(deposit.evidence, { source: "deny list stolen.txt", reference: "line 3" })
    await untilCondition("deposits_held", true)
    assert.strictEqual((await conditions()).status, "degraded")
    assert.match((await market.guest.get("/metrics")).text, /market_condition\{[^}]*kind="deposits_held"[^}]*\} 1/)
    const results = await Promise.all([decide(deposit.id, "release"), decide(deposit.id, "release")])
    assert.deepStrictEqual(results.map(({ status }) => status).sort(), [200, 409])
    const [, refused] = results.toSorted((one, other) => one.status - other.status)
    assert.deepStrictEqual(failureOf(refused ?? assert.fail(), 409, "CONFLICT"), { state: "released" })
    await until(member, 35, 0)
    const [action, ...more] = dataOf<ReadonlyArray<{ action: string; reason: string; after: { evidence: unknown } }>>(
      await market.operator.get(`/api/v1/admin/actions?subject=${deposit.id}`)
    )
    assert.lengthOf(more, 0)
    assert.deepInclude(action, { action: "deposit.release", reason: "Decided by a test" })
    assert.deepStrictEqual(action?.after.evidence, deposit.evidence)
    await untilCondition("deposits_held", false)
    await market.assertBalanced()
  })

  it("a deposit that the service flags shows its reference without the token; a rejected one stays unattributed (SCREENING-5)", async () => {
    const member = await market.member()
    network.deposit(await addressOf(member), 7_000_000n, suspect)
    await waitFor("it is held", async () => (await held(member)).length === 1)
    const [deposit] = await held(member)
    if (deposit === undefined) return assert.fail("nothing is held")
    assert.deepStrictEqual(deposit.evidence, { source: new URL(service.url).host, reference: "case 7 ***" })
    failureOf(await decide(deposit.id, "reject", ""), 400, "VALIDATION_ERROR")
    assert.strictEqual(dataOf<HeldDeposit>(await decide(deposit.id, "reject")).status, "rejected")
    failureOf(await decide(deposit.id, "release"), 409, "CONFLICT")
    failureOf(await decide("dep_unknown", "release"), 404, "DEPOSIT_NOT_FOUND")
    assert.deepStrictEqual(await money(member), [0, 0])
    await market.assertBalanced()
  })

  it("a listed destination is refused, also after the file changed; a withdrawal that is flagged later is held (SCREENING-7, SCREENING-8)", async () => {
    const member = await market.member()
    network.deposit(await addressOf(member), 100_000_000n, friend)
    await until(member, 100, 0)
    const withdraw = (destinationAddress: string) =>
      member.post("/api/v1/wallet/withdrawals", { amount: 10, destinationAddress })
    assert.deepStrictEqual(failureOf(await withdraw(thief), 403, "WITHDRAWAL_REFUSED"), { rule: "screening" })
    assert.deepStrictEqual(failureOf(await withdraw(suspect), 403, "WITHDRAWAL_REFUSED"), { rule: "screening" })
    assert.deepStrictEqual(await money(member), [100, 0])
    dataOf(await market.operator.post("/api/v1/admin/payouts/pause"))
    const { id } = dataOf<{ id: string }>(await withdraw(receiver), 201)
    await deny(thief, `${receiver} # since today`)
    assert.deepStrictEqual(failureOf(await withdraw(receiver), 403, "WITHDRAWAL_REFUSED"), { rule: "screening" })
    dataOf(await market.operator.post("/api/v1/admin/payouts/resume"))
    const stored = async () =>
      dataOf<{ needsReview: boolean; status: string; screening: unknown }>(
        await market.operator.get(`/api/v1/admin/withdrawals/${id}`)
      )
    await waitFor("it waits for the operator", async () => (await stored()).needsReview)
    assert.deepInclude(await stored(), {
      status: "pending",
      screening: { source: "deny list stolen.txt", reference: "line 2" }
    })
    assert.strictEqual(network.balance(bare(receiver)), 0n)
    dataOf(await market.operator.post(`/api/v1/admin/withdrawals/${id}/approve`))
    await waitFor("it is paid", async () => (await stored()).status === "completed")
    assert.strictEqual(network.balance(bare(receiver)), 10_000_000n)
    await deny(thief)
  })

  it("while the service stalls, lies or answers garbage, nothing is credited or paid; afterwards each transfer is settled once (SCREENING-4)", async () => {
    const member = await market.member()
    const address = await addressOf(member)
    network.deposit(address, 50_000_000n, friend)
    await until(member, 50, 0)
    const destinationAddress = TronEncoding.nobody("another receiver")
    service.behaviour = "garbage"
    const { id } = dataOf<{ id: string }>(
      await member.post("/api/v1/wallet/withdrawals", { amount: 10, destinationAddress }),
      201
    )
    network.deposit(address, 3_000_000n, friend)
    await waitFor("it waits for screening", async () => (await held(member, "screening")).length === 1)
    await untilCondition("screening_unavailable", true)
    for (const behaviour of ["another address", "stalls"] as const) {
      service.behaviour = behaviour
      const asked = service.asked.length
      await waitFor("it is screened again", async () => service.asked.length > asked)
      assert.deepStrictEqual(await money(member), [39, 3], behaviour)
      assert.strictEqual(network.balance(bare(destinationAddress)), 0n, behaviour)
    }
    const open = dataOf<ReadonlyArray<{ kind: string; detail: string }>>(
      await market.operator.get("/api/v1/admin/conditions?status=open")
    )
    const { detail } = open.find(({ kind }) => kind === "screening_unavailable") ?? assert.fail("no condition")
    assert.match(detail, /^localhost:\d+: (?:not a valid answer|an answer about another address|no answer in time)$/)
    service.behaviour = "honest"
    await until(member, 42, 0)
    const path = `/api/v1/wallet/withdrawals/${id}`
    await waitFor("it is paid", async () => dataOf<{ status: string }>(await member.get(path)).status === "completed")
    assert.strictEqual(network.balance(bare(destinationAddress)), 10_000_000n)
    await untilCondition("screening_unavailable", false)
    assert.notInclude(server.output(), token)
    await market.assertBalanced()
  })

  it("while a list has a wrong line, screening is unavailable, and the operator sees which line it is (SCREENING-2)", async () => {
    const member = await market.member()
    await deny(thief, "T-oops")
    network.deposit(await addressOf(member), 4_000_000n, friend)
    await waitFor("it waits for screening", async () => (await held(member, "screening")).length === 1)
    await untilCondition("screening_unavailable", true)
    const open = dataOf<ReadonlyArray<{ kind: string; detail: string }>>(
      await market.operator.get("/api/v1/admin/conditions?status=open")
    )
    const { detail } = open.find(({ kind }) => kind === "screening_unavailable") ?? assert.fail("no condition")
    assert.include(detail, "stolen.txt: line 2 must be a TRON address")
    await deny(thief)
    await until(member, 4, 0)
    await market.assertBalanced()
  })
})
