import { docsFolder } from "@agent-marketplace/http/system/docsFolder"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"
import { makeSearch } from "../../web/docs/search.ts"
import type { SearchEntry } from "../../web/docs/search.ts"

const name = docsFolder.files().files.find((file) => file.name.startsWith("search-"))?.name ?? ""
const bytes = await docsFolder.asset(name)
const search = makeSearch(JSON.parse(new TextDecoder().decode(bytes)) as ReadonlyArray<SearchEntry>)

const first = (query: string): string => search(query, 1)[0]?.path ?? ""

describe("the search in the documentation (DOCS-7)", () => {
  it("finds guides, sections, operations and events by the beginnings of their words", () => {
    assert.strictEqual(first("first purch"), "/guides/first-purchase")
    assert.strictEqual(first("buy a skill"), "/reference/purchases#purchases.buy")
    assert.strictEqual(first("purchase.completed"), "/reference/webhook-events#purchase.completed")
    assert.include(first("IDEMPOTENCY"), "idempotency")
    const places = search("/api/v1/wallet/withdrawals POST", 12).map(({ path }) => path)
    assert.include(places, "/reference/wallet#wallets.withdraw")
  })

  it("needs every word, and finds nothing for none", () => {
    assert.deepStrictEqual(search("buy zzzz", 5), [])
    for (const query of ["", "  ", "?!"]) assert.deepStrictEqual(search(query, 5), [], query)
    assert.lengthOf(search("the", 5), 5)
  })

  it("loads at most 60 kB, compressed", () => {
    assert.isBelow(gzipSync(bytes).length, 60_000)
  })
})
