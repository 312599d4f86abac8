import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Emoji, seaEmoji } from "../../src/activity/ActivityFeed.ts"

describe("Emoji (FEED-5, FEED-17)", () => {
  it("returns one of five sea creatures for every seed", () => {
    fc.assert(fc.property(fc.oneof(fc.integer(), fc.double()), (seed) => assert.include(Emoji.sea, seaEmoji(seed))))
    assert.strictEqual(new Set([0, 1, 2, 3, 4].map(seaEmoji)).size, 5)
  })

  it("has the icons of purchases, earnings and listings", () => {
    assert.deepStrictEqual([Emoji.purchase, Emoji.earning, Emoji.listing], ["🛍️", "💰", "✨"])
  })
})
