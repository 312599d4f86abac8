import { assert, it } from "vitest"
import { byteRange } from "../../src/blobs/byteRange.ts"

it("selects the bytes that a Range header names, as RFC 9110 says (BLOB-9)", () => {
  const expected: ReadonlyArray<readonly [string | undefined, ReturnType<typeof byteRange>]> = [
    [undefined, "all"],
    ["bytes=0-0", { start: 0, end: 1 }],
    ["bytes=0-9", { start: 0, end: 10 }],
    ["Bytes = 3 - 99", { start: 3, end: 10 }],
    ["bytes=9-", { start: 9, end: 10 }],
    ["bytes=-1", { start: 9, end: 10 }],
    ["bytes=-99", { start: 0, end: 10 }],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=10-20", "unsatisfiable"],
    ["bytes=99999999999999999999-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=5-4", "all"],
    ["bytes=-", "all"],
    ["bytes=", "all"],
    ["bytes=a-b", "all"],
    ["bytes=--1", "all"],
    ["bytes=0-1,3-4", "all"],
    ["items=0-1", "all"],
    ["", "all"]
  ]
  for (const [header, range] of expected) assert.deepStrictEqual(byteRange(header, 10), range, String(header))
  assert.strictEqual(byteRange("bytes=0-", 0), "unsatisfiable")
  assert.strictEqual(byteRange("bytes=-5", 0), "unsatisfiable")
})
