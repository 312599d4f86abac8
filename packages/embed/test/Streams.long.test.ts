import { openStream } from "@agent-marketplace/fixtures/live/openStream"
import { assert, describe, it } from "vitest"
import { createMarketplace } from "../src/createMarketplace.ts"
import { memoryStorage } from "../src/storage/memoryStorage.ts"
import { listen } from "./fixtures/listen.ts"

const open = () => createMarketplace({ storage: memoryStorage(), review: "auto", jobs: false })

const soul = {
  name: "Patient Tutor",
  description: "Explains in small steps.",
  content: "# SOUL\n\n## Identity\n\nKind."
}

describe("streams of an embedded market", () => {
  it("a user of the host iterates over the account's events, and over the feed (LIVE-12)", async () => {
    const market = await open()
    const alice = market.as({ id: "alice", name: "Alice" })
    await alice.account.get()
    const leaving = new AbortController()
    const events = alice.events.stream({ types: ["soul.created"], signal: leaving.signal })
    const feed = alice.activity.stream({ signal: leaving.signal })
    assert.strictEqual((await feed.next()).value?.event, "stats")
    const next = events.next()
    const published: Array<string> = []
    const publishing = (async () => {
      while (!leaving.signal.aborted) {
        published.push((await alice.souls.create({ ...soul, name: `Tutor ${published.length}` })).id)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })()
    const { value } = await next
    assert.strictEqual(value?.event, "soul.created")
    assert.include(published, value?.event === "soul.created" ? value.data.soulId : "")
    const item = (await feed.next()).value
    assert.match(item?.event === "activity" ? item.item.message : "", /^Alice listed Tutor \d+$/)
    leaving.abort()
    assert.deepStrictEqual([(await events.next()).done, (await feed.next()).done], [true, true])
    await publishing
    await market.close()
  })

  it("a server of the host streams, until the market closes (LIVE-11)", async () => {
    const market = await open()
    const server = await listen(market.node)
    const { apiKey } = await market.createAccount({ name: "Ada" })
    const headers = { authorization: `Bearer ${apiKey.key}` }
    const stream = await openStream(`${server.url}/api/v1/events/stream`, { headers })
    const response = await market.fetch(new Request("http://localhost:3000/api/v1/events/stream", { headers }))
    await market.as(apiKey.key).souls.create(soul)
    assert.strictEqual((await stream.atLeast(1))[0]?.event, "soul.created")
    const started = performance.now()
    const [text] = await Promise.all([response.text(), market.close(), stream.ended])
    assert.match(text, /^:\nid: \d+\n\nid: \d+\nevent: soul\.created\n/)
    assert.isBelow(performance.now() - started, 3000)
    await server.stop()
  })
})
