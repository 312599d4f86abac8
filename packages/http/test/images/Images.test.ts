import { afterAll, assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const market = startMarket({ config: { listingReview: "auto" } })
afterAll(market.stop)

describe("pictures on a market without a decoder", () => {
  it("an upload is refused in words that name the package, and reading works (IMAGE-13)", async () => {
    const { key } = await market.account({ seller: true })
    const draft = { name: "Painter", description: "Paints pictures.", price: 0 }
    const { id } = (await market.send("POST", "/api/v1/skills", { key, body: draft })).body.data
    const headers = { "content-type": "image/png" }
    const path = `/v1/listings/${id}/images`
    const refused = await market.send("POST", path, { key, raw: "no decoder", headers })
    assert.strictEqual(refused.status, 409, refused.text)
    assert.strictEqual(refused.body.error.details.state, "images_unsupported")
    assert.include(refused.body.error.details.reason, "the npm package sharp")
    assert.deepStrictEqual((await market.send("GET", path, { key })).body, { images: [] })
    const enveloped = await market.send("POST", `/api/v1${path.slice(3)}`, { key, raw: "a picture", headers })
    assert.strictEqual(enveloped.status, 201, enveloped.text)
    const { id: image } = enveloped.body.data
    const moved = await market.send("PATCH", `/api/v1${path.slice(3)}/${image}`, { key, body: { alt: " A cat " } })
    assert.strictEqual(moved.body.data.alt, "A cat")
    const removed = await market.send("DELETE", `/api/v1${path.slice(3)}/${image}`, { key })
    assert.deepStrictEqual(removed.body.data, { id: image, deleted: true })
  })
})
