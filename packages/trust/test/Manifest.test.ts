import { expect, it } from "vitest"
import { manifestOf } from "../src/archive/manifestOf.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

it("a manifest lists every file with size and SHA-256, sorted by the bytes of the paths (ARCHIVE-13)", () => {
  // U+FFFD sorts after U+1F600 by UTF-16 code units, and before it by bytes.
  const paths = ["b", "a/b", "a.md", "A", "\u{1f600}", "\ufffd"]
  const manifest = manifestOf(paths.map((path) => ({ path, bytes: bytes(path === "A" ? "" : "hello") })))
  expect(manifest.map(({ path }) => path)).toEqual(["A", "a.md", "a/b", "b", "\ufffd", "\u{1f600}"])
  expect(manifest.slice(0, 2)).toEqual([
    { path: "A", size: 0, sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { path: "a.md", size: 5, sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" }
  ])
})
