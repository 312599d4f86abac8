import { assert, beforeAll, describe, it } from "vitest"
import { onMarket } from "../fixtures/Market.ts"
import type { Market } from "../fixtures/Market.ts"
import { released, skillArchive } from "../fixtures/skillArchives.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"

/** Instructions of 40 sentences about a topic. */
const text = (topic: string): string =>
  Array.from({ length: 40 }, (_, n) => `Step ${n}: check the ${topic} of column ${n * 7} before you sort.`).join("\n")

describe("a text that nearly equals another creator's", () => {
  let server: SharedServer
  let market: Market

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
  })

  it("is found by the scanner of the server, in another archive with another name (RELEASE-30, SCAN-18)", async () => {
    const [author, thief] = [await market.member({ seller: true }), await market.member({ seller: true })]
    const [original, copy, other] = [
      await market.listing(author, "Column checker", 5),
      await market.listing(thief, "Table inspector", 5),
      await market.listing(thief, "Unit converter", 5)
    ]
    const first = await released(author, original, "1.0.0", skillArchive("1.0.0", {}, text("width")))
    assert.strictEqual(first.status, "published")
    const changed = text("width").replace("Step 20: check", "Step 20: carefully look at")
    const second = await released(thief, copy, "2.0.0", skillArchive("2.0.0", { "notes.md": "Mine." }, changed))
    assert.strictEqual(second.status, "in_review")
    const finding = JSON.stringify(second.verdict?.findings[0])
    for (const part of ['"rule":"SKILL-COPY-001"', '"level":"warn"', '"file":"SKILL.md"']) assert.include(finding, part)
    assert.match(finding, new RegExp(`"evidence":"[789][0-9] % as in ${original}"`))
    const third = await released(thief, other, "1.0.0", skillArchive("1.0.0", {}, text("unit")))
    assert.strictEqual(third.status, "published", "the same sentences about something else")
    const later = await released(author, original, "1.1.0", skillArchive("1.1.0", {}, `${text("width")}\nDone.`))
    assert.strictEqual(later.status, "published")
  })
})
