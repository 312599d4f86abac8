import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { skillMethod } from "../../src/skills/skillMethods.ts"
import { SkillUri } from "../../src/skills/SkillUri.ts"
import { stubMarket } from "../fixtures/stubMarket.ts"

const frontMatter = { name: "sorter", description: "Sorts." }

const file = (path: string, size = 1) => ({ path, size, sha256: "0".repeat(64) })

/** A market with one free skill that has these files. */
const market = (files: ReadonlyArray<ReturnType<typeof file>>, status = 200) =>
  stubMarket(({ url }) => {
    if (status !== 200)
      return Response.json({ success: false, error: { code: "X", message: "No.", details: {} } }, { status })
    return Response.json(
      url.endsWith("/install")
        ? { kind: "release", url: "", version: "1.0.0", sha256: "" }
        : { version: "1.0.0", sha256: "", files, frontMatter, verdict: null }
    )
  })

const get = (stub: ReturnType<typeof market>, params: unknown = { uri: "skill://lst_1/sorter/SKILL.md" }) => {
  const method = skillMethod("skills/get")
  return method === undefined ? Effect.die("no method") : method(stub, 1, params)
}

describe("the methods of MCP's extension for skills", () => {
  it.effect("serve what is within the extension's limits, and refuse what exceeds them with the reason (MCP-17)", () =>
    Effect.gen(function* () {
      const mebibyte = 1_048_576
      const many = (count: number) => Array.from({ length: count }, (_, n) => file(`${n}.md`))
      for (const files of [many(512), [file("a", 16 * mebibyte)]]) assert.property(yield* get(market(files)), "result")
      for (const files of [many(513), [file("a", 16 * mebibyte), file("b")]]) {
        const answer = yield* get(market(files))
        assert.deepNestedInclude(answer, { "error.code": -32602 })
        assert.match(JSON.stringify(answer), /512 files or 16 MiB/)
      }
    })
  )

  it.effect("distinguish what does not exist from a market that does not respond (MCP-15)", () =>
    Effect.gen(function* () {
      for (const [status, code] of [
        [402, -32602],
        [404, -32602],
        [429, -32603],
        [503, -32603]
      ] as const) {
        assert.deepNestedInclude(yield* get(market([], status)), { "error.code": code }, String(status))
      }
      for (const params of [null, 1, [], { uri: null }]) {
        assert.deepNestedInclude(yield* get(market([]), params), { "error.code": -32602 })
      }
      assert.isUndefined(skillMethod("skills/other"))
      assert.isUndefined(skillMethod("tools/list"))
    })
  )

  it("addresses of files contain any path, and are read back (MCP-16)", () => {
    for (const path of ["SKILL.md", "a b/ü#?%2F.md", "..a/x"]) {
      const address = { itemId: "lst_1", name: "sorter", path }
      assert.deepStrictEqual(SkillUri.read(SkillUri.of(address)), address)
    }
    for (const uri of [
      "skill://lst_1/sorter",
      "skill://x/sorter/a",
      "skill://lst_1/Sorter/a",
      "market://lst_1/sorter/a"
    ]) {
      assert.isUndefined(SkillUri.read(uri))
    }
  })
})
