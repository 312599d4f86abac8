import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { dataOf } from "./fixtures/Client.ts"
import { onMarket } from "./fixtures/Market.ts"
import { head, openConnection } from "./fixtures/RawConnection.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"

const statusOf = (answer: string): number => Number(answer.split(" ")[1])

/** Freezes a server while requests wait in its sockets, and returns the answers that it gives when it wakes. */
const answersAfterFreeze = async (
  server: RunningServer,
  request: string,
  meanwhile: () => Promise<void>
): Promise<ReadonlyArray<string>> => {
  const connections = await Promise.all(Array.from({ length: 20 }, () => openConnection(server.baseUrl)))
  server.signal("SIGSTOP")
  try {
    for (const connection of connections) connection.write(request)
    await meanwhile()
    // Longer than the lease of the frozen process, even if nothing waited for it.
    await setTimeout(1600)
  } finally {
    server.signal("SIGCONT")
  }
  const answers = await Promise.all(connections.map((connection) => connection.answer()))
  for (const connection of connections) connection.reset()
  return answers
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
      const answers = await answersAfterFreeze(frozen, account, async () => {
        assert.strictEqual((await member.delete(`/api/v1/keys/${member.keyId}`)).status, 200)
      })
      assert.deepStrictEqual(new Set(answers.map(statusOf)), new Set([401]))
    }

    const member = await market.member()
    const body = "{}"
    const link = head("POST", "/api/v1/sessions/links", {
      authorization: `Bearer ${member.key}`,
      "content-type": "application/json",
      "content-length": body.length
    })
    let moved = 0
    const answers = await answersAfterFreeze(frozen, link + body, async () => {
      await market.advance(86_400)
      moved = Date.parse(dataOf<{ expiresAt: string }>(await member.post("/api/v1/sessions/links", {}), 201).expiresAt)
    })
    for (const answer of answers) {
      assert.strictEqual(statusOf(answer), 201, answer)
      const { data } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as { data: { expiresAt: string } }
      assert.isAtLeast(Date.parse(data.expiresAt), moved)
    }
    assert.deepStrictEqual(await Promise.all([awake.stop(), frozen.stop()]), [0, 0])
  })
})
