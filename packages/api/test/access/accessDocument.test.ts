import { access } from "@agent-marketplace/api/access/Access"
import { accessDocument } from "@agent-marketplace/api/access/accessDocument"
import { operation } from "@agent-marketplace/api/access/Operation"
import { MarketApi } from "@agent-marketplace/api/MarketApi"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

const committed = readFileSync(new URL("../../../../docs/access.md", import.meta.url), "utf8")

describe("docs/access.md (SCOPE-1 to SCOPE-6)", () => {
  it("has the row of every operation", () => {
    assert.strictEqual(committed, accessDocument())
  })

  it("is outdated as soon as an operation is added, whatever its access", () => {
    const facts = operation({ summary: "Added", description: "Added by a test.", access: access.write("FULL") })
    const endpoint = HttpApiEndpoint.post("added", "/api/v1/added")
    for (const added of [endpoint, endpoint.annotateMerge(facts)]) {
      const table = accessDocument(MarketApi.add(HttpApiGroup.make("added").add(added)))
      assert.notStrictEqual(committed, table)
      assert.strictEqual(table.split("\n").length, committed.split("\n").length + 1)
      assert.include(table, "| `POST /api/v1/added` |")
    }
  })
})
