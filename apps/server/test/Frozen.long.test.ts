import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it } from "vitest"
import { dataOf } from "./fixtures/Client.ts"
import { startFaultyProxy } from "./fixtures/FaultyProxy.ts"
import type { Market, Member } from "./fixtures/Market.ts"
import { onMarket } from "./fixtures/Market.ts"
import { answersAfterFreeze, statusOf } from "./fixtures/answersAfterFreeze.ts"
import { head } from "./fixtures/RawConnection.ts"
import { startServer } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

/** How long a freeze lasts at least, in milliseconds. The shorter one is within the lease if nothing waits for the frozen process. */
const [longerThanLease, shorterThanLease] = [1600, 600]

/** A request for a link, which expires a fixed time after the market's present. */
const linkBy = (member: Member): string => {
  const headers = {
    authorization: `Bearer ${member.key}`,
    "content-type": "application/json",
    "content-length": 2
  }
  return `${head("POST", "/api/v1/sessions/links", headers)}{}`
}

const expiryOf = (answer: string): number => {
  const { data } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as { data: { expiresAt: string } }
  return Date.parse(data.expiresAt)
}

/** Moves the market's time by a day, and returns when a link then expires. */
const move = async (market: Market, member: Member): Promise<number> => {
  await market.advance(86_400)
  return Date.parse(dataOf<{ expiresAt: string }>(await member.post("/api/v1/sessions/links", {}), 201).expiresAt)
}

describe("a frozen process that wakes (DATABASE-6)", () => {
  it("answers with no key that was deactivated and no time that was moved while it was frozen", async () => {
    const env = { DATABASE_URL: await createDatabase(), TEST_CLOCK: "true", WORKER: "external" }
    const [awake, frozen] = [await startServer(env), await startServer(env)]
    const market = onMarket(awake.baseUrl)
    for (let round = 0; round < 3; round++) {
      const member = await market.member()
      const other = onMarket(frozen.baseUrl)
      const authorization = `Bearer ${member.key}`
      for (let request = 0; request < 5; request++) {
        const reply = await other.guest.get("/api/v1/account", { authorization })
        assert.strictEqual(reply.status, 200, reply.text)
      }
      const account = head("GET", "/api/v1/account", { authorization })
      const answers = await answersAfterFreeze(frozen, account, longerThanLease, async () => {
        assert.strictEqual((await member.delete(`/api/v1/keys/${member.keyId}`)).status, 200)
      })
      assert.deepStrictEqual(new Set(answers.map(statusOf)), new Set([401]))
    }

    const member = await market.member()
    let moved = 0
    const answers = await answersAfterFreeze(frozen, linkBy(member), longerThanLease, async () => {
      moved = await move(market, member)
    })
    assert.deepStrictEqual(new Set(answers.map(statusOf)), new Set([201]))
    for (const answer of answers) assert.isAtLeast(expiryOf(answer), moved)
    assert.deepStrictEqual(await Promise.all([awake.stop(), frozen.stop()]), [0, 0])
  })

  it("answers with no key that was deactivated while it was frozen and its connections were cut", async () => {
    const url = await createDatabase()
    const proxy = await startFaultyProxy()
    const proxied = new URL(url)
    proxy.target = Number(proxied.port)
    proxied.port = String(proxy.port)
    const env = { WORKER: "external" }
    const awake = await startServer({ ...env, DATABASE_URL: url })
    const frozen = await startServer({ ...env, DATABASE_URL: proxied.href })
    const market = onMarket(awake.baseUrl)
    for (let round = 0; round < 5; round++) {
      const member = await market.member()
      const authorization = `Bearer ${member.key}`
      await waitFor("the process knows the key", async () => {
        const { status } = await onMarket(frozen.baseUrl).guest.get("/api/v1/account", { authorization })
        return status === 200 ? true : undefined
      })
      const answers = await answersAfterFreeze(
        frozen,
        head("GET", "/api/v1/account", { authorization }),
        shorterThanLease,
        async () => {
          proxy.cut()
          assert.strictEqual((await member.delete(`/api/v1/keys/${member.keyId}`)).status, 200)
        }
      )
      assert.notInclude(answers.map(statusOf), 200)
    }
    assert.deepStrictEqual(await Promise.all([awake.stop(), frozen.stop()]), [0, 0])
    await proxy.close()
  })
})
