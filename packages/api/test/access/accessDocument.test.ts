import { access } from "@agent-marketplace/api/access/Access"
import { accessDocument } from "@agent-marketplace/api/access/accessDocument"
import { operation } from "@agent-marketplace/api/access/Operation"
import { MarketApi } from "@agent-marketplace/api/MarketApi"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

const committed = readFileSync(new URL("../../../../docs/access.md", import.meta.url), "utf8")

const tables = 4

describe("docs/access.md (SCOPE-1 to SCOPE-6)", () => {
  it("has the row of every operation", () => {
    assert.strictEqual(committed, accessDocument())
  })

  it("has every operation of openapi.json, once in each table", () => {
    const document = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")) as {
      readonly paths: Readonly<Record<string, object>>
    }
    const methods = ["get", "post", "put", "patch", "delete"]
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => methods.includes(method))
        .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`)
    )
    assert.isAbove(documented.length, 100)
    const rows = [...committed.matchAll(/^\| `([^`]+)` \|/gm)].map(([, operation]) => operation)
    assert.sameMembers(
      rows,
      documented.flatMap((operation) => Array.from({ length: tables }, () => operation))
    )
  })

  it("is outdated as soon as an operation is added, whatever its access", () => {
    const facts = operation({ summary: "Added", description: "Added by a test.", access: access.write("FULL") })
    const endpoint = HttpApiEndpoint.post("added", "/api/v1/added")
    for (const added of [endpoint, endpoint.annotateMerge(facts)]) {
      const table = accessDocument(MarketApi.add(HttpApiGroup.make("added").add(added)))
      assert.notStrictEqual(committed, table)
      const rows = table.split("\n").filter((line) => line.startsWith("| `POST /api/v1/added` |"))
      assert.lengthOf(rows, tables)
      assert.strictEqual(table.split("\n").length, committed.split("\n").length + tables)
    }
  })
})
