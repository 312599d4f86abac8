import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { bodyOf, dataOf } from "./fixtures/Client.ts"
import { openDatabase } from "./fixtures/DatabaseReader.ts"
import type { DatabaseReader } from "./fixtures/DatabaseReader.ts"
import { onMarket } from "./fixtures/Market.ts"
import type { Market, Member } from "./fixtures/Market.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const address = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
const hash = "853793d552635f533aa982b92b35b00e63a1c14e526154563f3c4e4a3d3c2b1a"

/** Names that identify a person: each must be replaced completely. */
const telling = [
  "ada@example.com",
  "Ada <ada.lovelace@mail.example.org>",
  "https://ada.example.com/me",
  "www.example.com",
  "ada.example.io",
  `Pay ${address}`,
  "0x52908400098527886E0F7030069857D2E4169EE7",
  `tx ${hash.slice(0, 44)}`,
  "mailto:ada",
  "ａda＠example．com"
]

/** Names that identify nobody. */
const harmless = ["Grace", "Node.js expert", "Dr. Who", "日本語", "O'Hara & Sons"]

/** Values that may be in tables and in the feed, because they are public or part of the interface. */
const publicColumns =
  /^(?:souls|listings)\.(?:name|slug|category|tags|currency|status|description)$|\.(?:item_name|item_category|type|status|currency|state|kind|item_kind)$/

interface Feed {
  readonly activities: ReadonlyArray<{ readonly id: string; readonly message: string }>
  readonly stats: object
}

describe("the feed's privacy (FEED-14)", () => {
  let server: RunningServer
  let database: DatabaseReader
  let market: Market
  let sellers: ReadonlyArray<Member>

  beforeAll(async () => {
    const url = await createDatabase()
    server = await startServer({ DATABASE_URL: url, LISTING_REVIEW: "auto", LOG_LEVEL: "warn", TEST_CLOCK: "true" })
    database = await openDatabase(url)
    market = onMarket(server.baseUrl, { testClock: true })
    sellers = await Promise.all([...telling, ...harmless].map((name) => market.member({ name, seller: true })))
    await Promise.all(
      sellers.map((seller, i) => seller.patch("/api/v1/account", { email: `private-${i}@mail.example.net` }))
    )
  })
  afterAll(async () => {
    await database?.close()
    await server?.stop()
  })

  const feed = async (limit = 50): Promise<Feed> =>
    bodyOf<Feed>(await market.guest.get(`/api/activity/live?limit=${limit}`))

  /** Creates activity: listings, registrations of agents, purchases. */
  const trade = async (round: number): Promise<void> => {
    const buyer = await market.fundedMember(200)
    for (const [i, seller] of sellers.entries()) {
      dataOf(await market.guest.post("/api/v1/agents/register", { name: `Confidential-Agent-${round}-${i}` }), 201)
      const name = i < telling.length ? seller.name.padEnd(3).slice(0, 50) : `Public skill ${round}-${i}`
      const skillId = await market.listing(seller, name, 1.5 + i)
      if (i % 2 === 0) dataOf(await buyer.post("/api/v1/purchases", { skillId }), 201)
    }
    const wish = { amount: 5, destinationAddress: address }
    dataOf(await buyer.post("/api/v1/wallet/withdrawals", wish), 201)
  }

  it("hundreds of feeds contain no id, agent name, e-mail, address, hash or key of the database", async () => {
    const feeds = new Set<string>()
    const reading = { read: 0, trading: false }
    const readMany = async (n: number) => {
      for (; n > 0; n--) {
        const { text } = await market.guest.get(`/api/activity/live?limit=${1 + (n % 50)}`)
        feeds.add(text)
        reading.read++
      }
    }
    for (let round = 0; round < 2; round++) {
      reading.trading = true
      const trades = trade(round).finally(() => (reading.trading = false))
      while (reading.trading) await readMany(5)
      await trades
    }
    await waitFor("the feed is full", async () => (await feed()).activities.length === 50)
    while (reading.read < 300) await Promise.all([readMany(10), readMany(10)])
    const all = [...feeds].join("\n")
    assert.include(all, "traded")
    assert.include(all, "registered")
    assert.include(all, "Grace listed Public skill")

    const shown = new Set([...harmless, "Member"])
    const secrets = new Map<string, string>()
    for (const { at, text } of await database.texts()) {
      const isPublic = publicColumns.test(at) && !telling.includes(text)
      if (!isPublic && text.length >= 4 && !shown.has(text)) secrets.set(text, at)
    }
    assert.isAbove(secrets.size, 300)
    assert.isTrue([...secrets.values()].some((at) => at.endsWith(".hash")))
    assert.isTrue([...secrets.keys()].some((text) => text.startsWith("Confidential-Agent-")))
    const found = [...secrets].filter(([text]) => all.includes(text))
    assert.deepStrictEqual(
      found.filter(([text]) => !isWordOfTheFeed(text)),
      []
    )
    for (const name of telling) assert.notInclude(all, name)
    for (const member of sellers) assert.notInclude(all, member.key)
  })

  it("identifying names are replaced, harmless ones are shown (FEED-16)", async () => {
    const { activities } = await feed()
    const creators = activities.flatMap(({ message }) => /^(.+) listed /.exec(message)?.[1] ?? [])
    assert.isAbove(creators.length, 0)
    for (const name of creators) assert.oneOf(name, ["A creator", ...harmless])
    assert.include(creators, "A creator")
  })

  it("ids of feed items reveal nothing and do not change (FEED-15)", async () => {
    const [first, second] = [await feed(), await feed()]
    assert.deepStrictEqual(
      first.activities.map(({ id }) => id),
      second.activities.map(({ id }) => id)
    )
    assert.strictEqual(new Set(first.activities.map(({ id }) => id)).size, 50)
    for (const { id } of first.activities) assert.match(id, /^(?:purchase|earning|reg|listing)-[0-9a-f]{16,}$/)
  })
})

/** Words and amounts of the feed, and public names that are part of larger values. */
const isWordOfTheFeed = (text: string): boolean =>
  /^(?:purchase|earning|registration|listing|USDT|listed|traded|registered)$/.test(text) ||
  /^(?:Public skill \d+-\d+|\d+\.\d{2,6})$/.test(text)
