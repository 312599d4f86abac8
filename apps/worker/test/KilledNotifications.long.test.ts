import { startMailServer } from "@agent-marketplace/fixtures/notifications/startMailServer"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { Client } from "pg"
import { assert, describe, it } from "vitest"
import { joinMarket } from "./fixtures/Market.ts"
import { startServer, startWorker } from "./fixtures/processes.ts"
import { waitFor } from "./fixtures/waitFor.ts"

describe("a worker that is killed while it sends an e-mail", () => {
  it("leaves the message to another one, which sends it once, with the same Message-ID (NOTIFY-6)", async () => {
    let answer = () => {}
    const answered = new Promise<undefined>((resolve) => {
      answer = () => resolve(undefined)
    })
    let holds = false
    const mails = await startMailServer(() => (holds ? answered : undefined))
    const DATABASE_URL = await createDatabase()
    const env = { DATABASE_URL, SMTP_URL: mails.url, SMTP_FROM: "market@shop.example" }
    const database = new Client({ connectionString: DATABASE_URL })
    await database.connect()
    const [server, ...workers] = await Promise.all([startServer(env), startWorker(env), startWorker(env)])
    try {
      const member = await joinMarket(server.baseUrl, "Ada")
      const channels = "/api/v1/account/notifications/channels"
      const input = { kind: "email", address: "ada@ada.dev" }
      const { id } = await member.request<{ id: string }>("POST", channels, input)
      const [, code] = /code is (\w{8})\./.exec(mails.received[0]?.text ?? "") ?? []
      await member.request("POST", `${channels}/${id}/verify`, { code })
      holds = true
      await member.fund(5)
      await waitFor("the message is sent", () => mails.received.length === 2)
      await Promise.all(workers.splice(0).map((worker) => worker.end("SIGKILL")))
      holds = false
      answer()
      // The next worker need not wait a minute until the claim of the killed one has expired.
      await database.query("UPDATE notification_channels SET claimed_until = clock_timestamp() WHERE claim IS NOT NULL")
      await database.query("DELETE FROM leases")
      workers.push(await startWorker(env))
      await waitFor("the message is sent again", () => mails.received.length === 3)
      await waitFor("it is recorded", async () => (await database.query("SELECT FROM notices")).rowCount === 0)
      const [, first, second] = mails.received
      assert.isDefined(first?.header("Message-ID"))
      assert.strictEqual(second?.header("Message-ID"), first?.header("Message-ID"))
      assert.strictEqual(second?.text, first?.text)
      await member.fund(6)
      await waitFor("the next message is sent", () => mails.received.length === 4)
      assert.notStrictEqual(mails.received[3]?.header("Message-ID"), first?.header("Message-ID"))
      assert.strictEqual(await workers[0]?.end("SIGTERM"), 0)
    } finally {
      answer()
      await Promise.all([server, ...workers].map((each) => each.hasEnded() || each.end("SIGKILL")))
      await database.end()
      await mails.close()
    }
  })
})
