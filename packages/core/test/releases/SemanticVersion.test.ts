import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { SemanticVersion } from "../../src/releases/SemanticVersion.ts"

const number = fc.oneof(fc.nat(12), fc.maxSafeNat(), fc.constantFrom(99_999_999_999_999_999_999_999n)).map(String)
const word = fc.constantFrom("alpha", "beta", "rc", "x-y", "-", "0a", "A", "a")
const identifiers = fc.array(fc.oneof(number, word), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("."))
const suffix = (sign: string) => fc.option(identifiers, { nil: null }).map((text) => (text === null ? "" : sign + text))

/** Valid versions, many of which differ in one part only. */
const version = fc
  .tuple(fc.tuple(number, number, number), suffix("-"), suffix("+"))
  .map(([core, pre, build]) => core.join(".") + pre + build)
const near = fc
  .tuple(fc.constantFrom("1.0.0", "1.0.1", "1.10.0", "2.0.0"), suffix("-"), suffix("+"))
  .map((parts) => parts.join(""))
const anyVersion = fc.oneof(version, near).filter((text) => text.length <= 100)

const withoutBuild = (text: string): string => text.split("+")[0] ?? ""

describe("SemanticVersion (RELEASE-2, RELEASE-11)", () => {
  it("has the precedence that semver.org gives in its examples", () => {
    for (const ascending of [
      ["1.0.0", "2.0.0", "2.1.0", "2.1.1"],
      ["1.0.0-alpha", "1.0.0"],
      "1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0".split(" "),
      ["1.9.0", "1.10.0", "1.11.0"]
    ]) {
      for (const [i, a] of ascending.entries()) {
        for (const [j, b] of ascending.entries()) {
          assert.strictEqual(Math.sign(SemanticVersion.compare(a, b)), Math.sign(i - j), `${a} and ${b}`)
        }
      }
    }
    assert.strictEqual(SemanticVersion.compare("1.0.0+20130313144700", "1.0.0+21AF26D3---117B344092BD"), 0)
  })

  it("is a total order of what precedes the build metadata", () => {
    fc.assert(
      fc.property(anyVersion, anyVersion, anyVersion, (a, b, c) => {
        const sign = (one: string, other: string) => Math.sign(SemanticVersion.compare(one, other))
        assert.strictEqual(sign(a, a), 0)
        assert.strictEqual(sign(a, b) + sign(b, a), 0)
        assert.strictEqual(sign(a, b) === 0, withoutBuild(a) === withoutBuild(b))
        if (sign(a, b) <= 0 && sign(b, c) <= 0) assert.isAtMost(sign(a, c), 0)
      }),
      { numRuns: 1000 }
    )
  })

  it("a pre-release precedes its release, and only versions with a hyphen before the build metadata are pre-releases", () => {
    fc.assert(
      fc.property(anyVersion, (a) => {
        assert.isTrue(SemanticVersion.isValid(a))
        const core = /^[0-9.]+/.exec(a)?.[0] ?? ""
        assert.strictEqual(SemanticVersion.isPreRelease(a), withoutBuild(a) !== core)
        if (SemanticVersion.isPreRelease(a)) assert.isBelow(SemanticVersion.compare(a, core), 0)
      })
    )
  })

  it("other texts are no versions", () => {
    const wrong =
      "1 1.2 1.2.3.4 v1.2.3 01.1.1 1.01.1 1.1.01 1.2.3- 1.2.3-. 1.2.3-a..b 1.2.3-01 1.2.3-a.00 1.2.3+ 1.2.3+a+b 1.2.3-ü -1.0.0 1.0.0\n １.0.0"
    for (const text of [...wrong.split(" "), "", " 1.0.0", "1.0.0 ", "1.0.0\n"]) {
      assert.isFalse(SemanticVersion.isValid(text), JSON.stringify(text))
    }
    assert.isTrue(SemanticVersion.isValid(`1.0.0-${"a".repeat(94)}`))
    assert.isFalse(SemanticVersion.isValid(`1.0.0-${"a".repeat(95)}`))
  })
})
