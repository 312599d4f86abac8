import { migrations } from "@agent-marketplace/postgres/migrations/migrations"
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

const committed = JSON.parse(readFileSync(new URL("../../migrations.json", import.meta.url), "utf8")) as unknown

describe("migrations", () => {
  it("are unchanged since their release: each statement list has its committed checksum", () => {
    const checksums = Object.entries(migrations).map(([name, statements]) => [
      name,
      createHash("sha256").update(JSON.stringify(statements)).digest("hex")
    ])
    assert.deepStrictEqual(Object.fromEntries(checksums), committed)
  })

  it("have contiguous ids from 1, so that none is skipped", () => {
    assert.deepStrictEqual(
      Object.keys(migrations).map((name) => Number(name.slice(0, 4))),
      Object.keys(migrations).map((_, i) => i + 1)
    )
  })
})
