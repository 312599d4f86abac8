import { assert, describe, it } from "vitest"
import { verifyLicense } from "../../src/licenses/verifyLicense.ts"
import type { LicenseExpectation, LicenseRefusal } from "../../src/licenses/verifyLicense.ts"
import type { PublicKeys } from "../../src/signing/checkSignature.ts"
import { signedProof, testKey, withFlippedBits } from "../signing/signer.ts"

const key = testKey("current")
const keys = { keys: [key] }
const now = Date.parse("2026-06-01T00:00:00Z")
const seconds = (text: string) => Date.parse(text) / 1000

const license = {
  iss: "https://market.example.com",
  sub: "pur_1",
  item: "lst_1",
  version: "1.2.0",
  type: "subscription" as const,
  holder: "ab".repeat(32),
  iat: seconds("2026-05-20T00:00:00Z"),
  exp: seconds("2026-06-26T00:00:00Z"),
  key: "cd".repeat(32),
  machine: "laptop"
}

const reasonOf = async (proof: string, expected: LicenseExpectation = {}, known: PublicKeys = keys) => {
  const check = await verifyLicense(proof, known, { now, ...expected })
  return check.valid ? undefined : check.reason
}

describe("verifyLicense (PROOF-5)", () => {
  it("accepts a proof of the market, and returns what it says", async () => {
    const all = { item: "lst_1", machine: "laptop", issuer: "https://market.example.com/", now }
    const check = await verifyLicense(signedProof(key, license), keys, all)
    assert.deepStrictEqual(check, { valid: true, license })
    assert.isUndefined(await reasonOf(signedProof(key, license), {}, [testKey("another"), key]))
    const { machine: _, ...unbound } = license
    assert.isUndefined(await reasonOf(signedProof(key, { ...unbound, type: "perpetual", version: null })))
  })

  const day = 86_400_000
  const cases: ReadonlyArray<readonly [string, LicenseRefusal, object, LicenseExpectation]> = [
    ["at its end", "expired", {}, { now: license.exp * 1000 }],
    ["long after its end", "expired", {}, { now: now + 365 * day }],
    ["from the future", "not_yet_valid", {}, { now: license.iat * 1000 - 6 * 60_000 }],
    ["for another item", "other_item", {}, { item: "lst_2" }],
    ["of another market", "other_market", {}, { issuer: "https://elsewhere.example.com" }],
    ["for another machine", "other_machine", {}, { machine: "desktop" }],
    ["for no machine", "other_machine", { machine: undefined }, { machine: "laptop" }],
    ["with a time that is no number", "malformed", { exp: "never" }, {}],
    ["with a time that is no whole number", "malformed", { exp: 1e300 }, {}],
    ["of an unknown type", "malformed", { type: "lifetime" }, {}],
    ["without an item", "malformed", { item: undefined }, {}]
  ]
  it.each(cases)("refuses a proof %s: %s", async (_, reason, claims, expected) => {
    assert.strictEqual(await reasonOf(signedProof(key, { ...license, ...claims }), expected), reason)
  })

  it("accepts a clock that is up to five minutes behind, and a proof until its last moment", async () => {
    assert.isUndefined(await reasonOf(signedProof(key, license), { now: license.iat * 1000 - 4 * 60_000 }))
    assert.isUndefined(await reasonOf(signedProof(key, license), { now: license.exp * 1000 - 1 }))
  })

  it("refuses keys that it does not know, other keys of the same name, and keys that were retired at its date", async () => {
    const proof = signedProof(key, license)
    assert.strictEqual(await reasonOf(proof, {}, []), "unknown_key")
    assert.strictEqual(await reasonOf(proof, {}, [testKey("other")]), "unknown_key")
    assert.strictEqual(await reasonOf(proof, {}, [testKey("current")]), "bad_signature")
    assert.strictEqual(await reasonOf(proof, {}, [{ ...key, x: "short" }]), "unknown_key")
    for (const [retiredAt, reason] of [
      ["2026-05-20T00:00:00.000Z", "retired_key"],
      ["2026-05-20T00:00:00.001Z", undefined],
      ["no date", "retired_key"]
    ] as const)
      assert.strictEqual(await reasonOf(proof, {}, [{ ...key, retiredAt }]), reason, retiredAt)
  })

  it("refuses other algorithms, further headers, and texts that are no proof", async () => {
    for (const header of [{ alg: "none" }, { alg: "HS256" }, { typ: "JOSE" }, { crit: ["exp"] }, { jwk: {} }])
      assert.strictEqual(await reasonOf(signedProof(key, license, header)), "malformed")
    const [head, claims] = signedProof(key, license).split(".")
    const texts = [
      "",
      ".",
      "..",
      "a.b.c",
      "e30.e30.",
      `${head}.${claims}`,
      `${head}.${claims}.`,
      `${head}.${claims}.AA`
    ]
    for (const text of [...texts, `${signedProof(key, license)}.`, ` ${signedProof(key, license)}`])
      assert.strictEqual(await reasonOf(text), "malformed", text)
    for (const value of [undefined, null, 7, {}]) assert.strictEqual(await reasonOf(value as never), "malformed")
  })

  it("notices every flipped bit of a proof", async () => {
    const proof = signedProof(key, license)
    let flipped = 0
    for (const text of withFlippedBits(proof)) {
      assert.isDefined(await reasonOf(text), text)
      flipped += 1
    }
    assert.strictEqual(flipped, proof.length * 8)
  })
})
