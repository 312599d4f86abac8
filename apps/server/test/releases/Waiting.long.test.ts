import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market } from "../fixtures/Market.ts"
import { harmful, released, skillArchive } from "../fixtures/skillArchives.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

interface Waiting {
  readonly itemId: string
  readonly version: string
  readonly status: string
  readonly level: string | null
  readonly waitingSince: string
}

const day = 86_400

describe("releases that wait for an operator", () => {
  let server: RunningServer
  let market: Market

  beforeAll(async () => {
    // Listings are approved by an operator here, and so is each release of an approved listing.
    server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "manual", TEST_CLOCK: "true" })
    market = onMarket(server.baseUrl, { testClock: true })
  })
  afterAll(() => server?.stop())

  const waiting = async (query = "") =>
    dataOf<ReadonlyArray<Waiting>>(await market.operator.get(`/api/v1/admin/releases${query}`))

  const oldestSeconds = async () =>
    Number(/^review_oldest_seconds (\S+)$/m.exec((await market.guest.get("/metrics")).text)?.[1])

  it("are listed oldest first, and one in review for over a day is a metric and a warning (RELEASE-29, OPERATOR-13)", async () => {
    const seller = await market.member({ seller: true })
    const id = await market.listing(seller, "Sorter", 5)
    const harmless = await released(seller, id, "1.0.0")
    assert.strictEqual(harmless.status, "in_review")
    await market.advance(60)
    const stopped = await released(seller, id, "1.1.0", skillArchive("1.1.0", {}, harmful))
    assert.strictEqual(stopped.status, "quarantined")
    const found = await waiting()
    assert.deepStrictEqual(
      found.map(({ itemId, level, status, version }) => [itemId, version, status, level]),
      [
        [id, "1.0.0", "in_review", harmless.verdict?.level ?? null],
        [id, "1.1.0", "quarantined", "block"]
      ]
    )
    assert.deepStrictEqual(await waiting("?status=in_review"), found.slice(0, 1))
    assert.deepStrictEqual(await waiting("?status=quarantined"), found.slice(1))
    assert.deepStrictEqual(await waiting("?page=2&limit=1"), found.slice(1))

    await market.advance(day)
    await waitFor("the metric reports it", async () => (await oldestSeconds()) >= day)
    const ready = bodyOf<{ warnings?: ReadonlyArray<unknown> }>(await market.guest.get("/readyz"))
    assert.match(JSON.stringify(ready.warnings), /review/)
    dataOf(await market.operator.post(`/api/v1/admin/items/${id}/release`, { reason: "Read it.", versions: ["1.0.0"] }))
    await waitFor("nothing is due", async () => (await oldestSeconds()) < day)
    assert.deepStrictEqual(
      (await waiting()).map(({ version }) => version),
      ["1.1.0"]
    )
    bodyOf(await seller.delete(`/v1/listings/${id}`))
    assert.deepStrictEqual(await waiting(), [])
  })

  it("a report and an appeal that wait for over a day are each a metric and a warning (QUEUE-2)", async () => {
    const seller = await market.member({ seller: true })
    const reporter = await market.member()
    const [stopped, reported] = [
      await market.listing(seller, "Stopped", 5),
      await market.listing(seller, "Reported", 5)
    ]
    const admin = "/api/v1/admin"
    dataOf(await market.operator.post(`${admin}/listings/${stopped}/suspend`, { reason: "Broken.", code: "broken" }))
    const warnings = async () => {
      const { warnings: given = [] } = bodyOf<{ warnings?: ReadonlyArray<string> }>(await market.guest.get("/readyz"))
      return given.filter((warning) => /^(?:reports|appeals)_overdue$/.test(warning)).toSorted()
    }
    const becomes = (expected: ReadonlyArray<string>) =>
      waitFor(`the warnings are ${expected.join()}`, async () => (await warnings()).join() === expected.join())
    const seconds = async (what: string) => {
      const { text } = await market.guest.get("/metrics")
      return Number(new RegExp(`^${what}_oldest_seconds (\\S+)$`, "m").exec(text)?.[1])
    }
    const report = dataOf<{ id: string }>(
      await reporter.post(`/api/v1/items/${reported}/reports`, { reason: "spam", text: "It is an advertisement." }),
      201
    )
    await market.advance(day / 2)
    const appeal = dataOf<{ id: string }>(
      await seller.post(`/api/v1/items/${stopped}/appeals`, { text: "It works." }),
      201
    )
    await market.advance(day / 2 + 60)
    await becomes(["reports_overdue"])
    assert.isAbove(await seconds("reports"), day)
    assert.approximately(await seconds("appeals"), day / 2, 3600)
    await market.advance(day / 2)
    await becomes(["appeals_overdue", "reports_overdue"])
    const decision = { decision: "upheld", reason: "It does not." }
    dataOf(await market.operator.post(`${admin}/appeals/${appeal.id}/decide`, decision))
    await becomes(["reports_overdue"])
    dataOf(
      await market.operator.post(`${admin}/reports/${report.id}/resolve`, { action: "none", reason: "It is not." })
    )
    await becomes([])
    assert.deepStrictEqual([await seconds("reports"), await seconds("appeals")], [0, 0])
  })

  it("a wrong status is refused by name, and only the operator reads the list (RELEASE-29)", async () => {
    const wrong = await market.operator.get("/api/v1/admin/releases?status=published")
    assert.strictEqual(wrong.status, 400)
    assert.match(wrong.text, /status/)
    const { status } = await (await market.member({ seller: true })).get("/api/v1/admin/releases")
    assert.strictEqual(status, 403)
  })
})
