import { assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf } from "../fixtures/Client.ts"
import type { Reply } from "../fixtures/Client.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { onMarket } from "../fixtures/Market.ts"
import { soulMarkdown } from "../fixtures/soulMarkdown.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const listing = (name: string) => ({
  name,
  description: "Cleans and normalises CSV files.",
  category: "data",
  price: 12.5,
  installUrl: "https://example.com/install"
})

const skill = (name: string) => ({ name, description: "Cleans and normalises CSV files.", price: 0 })

const soul = (name: string) => ({ name, description: "Reads before it answers.", content: soulMarkdown(name) })

describe("names that look like those of other creators' items", () => {
  let server: SharedServer
  let market: Market
  let first: Member
  let second: Member

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
    first = await market.member({ seller: true })
    second = await market.member({ seller: true })
  })

  const tooSimilar = (reply: Reply, conflictsWith: string): void => {
    assert.strictEqual(reply.status, 409, JSON.stringify(reply.body))
    const { error } = reply.body as { error: { code: string; details: unknown } }
    assert.deepStrictEqual([error.code, error.details], ["NAME_TOO_SIMILAR", { conflictsWith }])
  }

  it("are refused on every surface with what they conflict with (NAME-1, ERROR-27)", async () => {
    const { id } = dataOf<{ id: string }>(await first.post("/api/v1/skills", skill("Scope Counter")), 201)
    for (const name of ["Ѕcоpe Cоunter", "scope-counter", "Sc0pe C0unter"]) {
      tooSimilar(await second.post("/v1/listings", listing(name)), id)
      tooSimilar(await second.post("/api/v1/listings", listing(name)), id)
      tooSimilar(await second.post("/api/v1/skills", skill(name)), id)
      const refused = await second.post("/api/v1/souls/create", soul(name))
      assert.deepStrictEqual(
        [refused.status, refused.body],
        [409, { error: "The name looks like that of another creator's item; choose one that differs clearly" }]
      )
    }
    const same = dataOf<{ slug: string }>(await second.post("/api/v1/skills", skill("Scope Counter")), 201)
    assert.strictEqual(same.slug, "scope-counter-2", "an equal name is allowed")
  })

  it("are refused for a rename, which changes nothing (NAME-1)", async () => {
    const { id } = dataOf<{ id: string }>(await first.post("/api/v1/skills", skill("Ledger Watch")), 201)
    const own = dataOf<{ id: string }>(await second.post("/api/v1/skills", skill("Something else")), 201).id
    tooSimilar(await second.patch(`/api/v1/skills/${own}`, { name: "Lеdger Watch" }), id)
    tooSimilar(await second.patch(`/v1/listings/${own}`, { name: "Lеdger Watch" }), id)
    assert.strictEqual(dataOf<{ title: string }>(await second.get(`/api/v1/skills/${own}`)).title, "Something else")
    const made = bodyOf<{ slug: string }>(await second.post("/api/v1/souls/create", soul("Some Soul")), 201)
    tooSimilar(await second.patch(`/api/v1/souls/${made.slug}`, { name: "Lеdger Watch" }), id)
    assert.strictEqual(
      (await first.patch(`/api/v1/skills/${id}`, { name: "Lеdger Watch" })).status,
      200,
      "its own creator may"
    )
  })

  it("of items that are not public do not count; a private soul is compared when it becomes public (NAME-1)", async () => {
    const hidden = bodyOf<{ slug: string }>(
      await first.post("/api/v1/souls/create", { ...soul("Quiet Reader"), visibility: "private" }),
      201
    )
    const shown = bodyOf<{ id: string }>(await second.post("/api/v1/souls/create", soul("Quiet Rеader")), 201)
    tooSimilar(await first.patch(`/api/v1/souls/${hidden.slug}`, { visibility: "public" }), shown.id)
    const renamed = await first.patch(`/api/v1/souls/${hidden.slug}`, { visibility: "public", name: "Loud Reader" })
    assert.strictEqual(renamed.status, 200)
  })

  it("near that of a popular item wait for a person, also without manual review (NAME-3)", async () => {
    const popular = dataOf<{ id: string }>(await first.post("/api/v1/skills", skill("Invoice Robot")), 201).id
    for (let sales = 0; sales < 50; sales++) {
      dataOf(await (await market.member()).post("/api/v1/purchases", { skillId: popular }), 201)
    }
    const statusOf = async (name: string) => {
      const { id } = dataOf<{ id: string }>(await second.post("/api/v1/skills", skill(name)), 201)
      return { id, status: dataOf<{ status: string }>(await second.get(`/api/v1/skills/${id}`)).status }
    }
    assert.strictEqual((await statusOf("Receipt Robot")).status, "approved")
    await waitFor(
      "the item counts as popular",
      async () => (await statusOf("Invoice Robots")).status === "pending_review"
    )
    const near = await statusOf("Invoice Robo")
    assert.strictEqual(near.status, "pending_review")
    dataOf(await market.operator.post(`/api/v1/admin/listings/${near.id}/approve`))
    assert.strictEqual((await first.get(`/api/v1/skills/${near.id}`)).status, 200)

    // A rename waits beside the listing that stays on sale.
    const { id } = await statusOf("Receipt Robots")
    dataOf(await second.patch(`/api/v1/skills/${id}`, { name: "Invoice Robot" }))
    const detail = dataOf<{ title: string; status: string; pendingChanges: unknown }>(
      await second.get(`/api/v1/skills/${id}`)
    )
    assert.deepInclude(detail, {
      title: "Receipt Robots",
      status: "approved",
      pendingChanges: { name: "Invoice Robot" }
    })

    // A soul is suspended until an operator restores it, which publishes it.
    const made = bodyOf<{ slug: string }>(await second.post("/api/v1/souls/create", soul("Invoice Robot")), 201)
    assert.strictEqual((await first.get(`/api/souls/${made.slug}`)).status, 404)
    const own = bodyOf<{ soul: { suspensionReason: string } }>(await second.get(`/api/souls/${made.slug}`)).soul
    assert.match(own.suspensionReason, /^Waits for a review/)
    dataOf(await market.operator.post(`/api/v1/admin/souls/${made.slug}/restore`))
    assert.strictEqual((await first.get(`/api/souls/${made.slug}`)).status, 200)
  })
})
