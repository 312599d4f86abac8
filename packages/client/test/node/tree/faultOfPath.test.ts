import { claimedNames } from "@agent-marketplace/client/node/tree/claimedNames"
import { faultOfPath } from "@agent-marketplace/client/node/tree/faultOfPath"
import * as fc from "fast-check"
import { posix, win32 } from "node:path"
import { assert, describe, it } from "vitest"

/** Built from dangerous parts, so that random generation finds their combinations. */
const dangerous = [
  "..",
  ".",
  "",
  "...",
  " ",
  "~",
  "-rf",
  ".git",
  "git~1",
  ".GIT ",
  "con",
  "NUL.txt",
  "aux .x",
  "C:",
  "\\\\host"
]
const odd = [
  "%2e%2e",
  "\u2024\u2024",
  "\u202e",
  "\0",
  "\n",
  "e\u0301",
  "\u00e9",
  "\ud800",
  "x".repeat(199),
  "a",
  "A",
  "b.txt"
]
const part = fc.oneof(fc.constantFrom(...dangerous, ...odd), fc.string({ maxLength: 8, unit: "binary" }))
const pathOf = (longest: number) =>
  fc
    .tuple(fc.array(part, { maxLength: longest }), fc.constantFrom("/", "/", "\\", "//"))
    .map(([parts, by]) => parts.join(by))

describe("the path rule", () => {
  it("an accepted path is inside the folder, and the same by the rules of POSIX and of Windows", () => {
    let passed = 0
    fc.assert(
      fc.property(fc.oneof(pathOf(3), pathOf(40)), (tried) => {
        if (faultOfPath(tried) !== undefined) return
        passed += 1
        assert.strictEqual(posix.normalize(tried), tried)
        assert.strictEqual(posix.relative("/skills/one", posix.resolve("/skills/one", tried)), tried)
        const onWindows = win32.resolve("D:\\skills\\one", tried)
        assert.strictEqual(win32.relative("D:\\skills\\one", onWindows).replaceAll("\\", "/"), tried)
        assert.isFalse(
          win32.isAbsolute(tried) || posix.isAbsolute(tried) || /\p{C}/u.test(tried.replace(/\p{Cn}|\p{Co}/gu, ""))
        )
        assert.isBelow(tried.length, 201)
        for (const name of tried.split("/")) assert.notInclude(["", ".", "..", ".git"], name.toLowerCase())
      }),
      { numRuns: 5000 }
    )
    assert.isAbove(passed, 100)
  })

  it("no two paths accepted together are the same file if case and accents are ignored", () => {
    fc.assert(
      fc.property(fc.array(pathOf(3), { maxLength: 12 }), (paths) => {
        const names = claimedNames()
        const kept = paths.filter((each) => faultOfPath(each) === undefined && names.claim(each, "file") === undefined)
        const folded = kept.map((each) => each.normalize("NFC").toLowerCase())
        assert.strictEqual(new Set(folded).size, kept.length)
        for (const each of folded) assert.isFalse(folded.some((other) => other.startsWith(`${each}/`)))
      }),
      { numRuns: 2000 }
    )
  })

  it.each([
    "SKILL.md",
    "a/b/c",
    "-rf",
    "...a",
    "a b",
    "\u00e9t\u00e9.txt",
    "\u65e5\u672c/\ud83e\udd80.md",
    "console",
    "com10",
    ".github/x",
    ".gitignore",
    "x/aux1.md"
  ])("%s passes", (each) => assert.isUndefined(faultOfPath(each)))
})
