import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { connectionOf, pagesOf, rememberedConnection, sliceOf } from "../src/Connection.ts"

const records = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, i) => i)

/** The slice of a list that is read by pages. */
const readByPages = (all: ReadonlyArray<number>, slice: { readonly offset: number; readonly first: number }) => {
  const { pages, skip } = pagesOf(slice)
  const read = pages.flatMap((page) => all.slice((page - 1) * slice.first, page * slice.first))
  return read.slice(skip, skip + slice.first)
}

it("the pages of a slice contain exactly the slice, in at most two pages (GRAPHQL-7)", () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), fc.integer({ min: 1, max: 100 }), (count, offset, first) => {
      const all = records(count)
      assert.isAtMost(pagesOf({ offset, first }).pages.length, 2)
      assert.deepStrictEqual(readByPages(all, { offset, first }), all.slice(offset, offset + first))
    })
  )
})

it("following the cursors reads each record once, whatever the sizes of the pages (GRAPHQL-7)", () => {
  fc.assert(
    fc.property(
      fc.nat(120),
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 5 }),
      (count, sizes) => {
        const all = [...records(count)]
        const seen: Array<unknown> = []
        let after: string | null = null
        for (let turn = 0; ; turn++) {
          const slice = sliceOf({ first: sizes[turn % sizes.length]!, after })
          const { nodes, pageInfo } = connectionOf(readByPages(all, slice), slice, count)
          seen.push(...nodes)
          if (!pageInfo.hasNextPage) break
          after = pageInfo.endCursor
        }
        assert.deepStrictEqual(seen, all)
      }
    )
  )
})

it("a text that is no cursor is refused", () => {
  for (const after of [
    "",
    "x",
    "YWZ0ZXI6",
    Buffer.from("after:-1").toString("base64url"),
    Buffer.from("after:99999999999").toString("base64url")
  ]) {
    assert.throws(() => sliceOf({ after }), "not valid")
  }
})

it("a remembered connection equals a new one, and is the same value for the same records", () => {
  const connect = rememberedConnection()
  const page = records(3)
  for (const [offset, total] of [
    [0, 3],
    [3, 9],
    [3, 10],
    [0, 3]
  ] as const) {
    const slice = { offset, first: 3 }
    const found = connect(page, slice, total)
    assert.deepStrictEqual(found, connectionOf(page, slice, total))
    assert.strictEqual(connect(page, slice, total), found)
  }
})
