import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { LicenseKey } from "../../src/purchases/LicenseKey.ts"

const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const random = fc.uint8Array({ minLength: 15, maxLength: 20 })

const places = fc.nat(24)

/** The index of the nth character that is not a hyphen. */
const indexOf = (place: number): number => place + Math.floor(place / 5)

const replaced = (key: string, place: number, digit: string): string =>
  key.slice(0, indexOf(place)) + digit + key.slice(indexOf(place) + 1)

describe("LicenseKey (LICENSE-1)", () => {
  it("has five groups of five characters of Crockford's base 32, and is its own normal form", () => {
    fc.assert(
      fc.property(random, (bytes) => {
        const key = LicenseKey.make(bytes)
        assert.match(key, /^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){4}$/)
        assert.strictEqual(LicenseKey.normalise(key), key)
      })
    )
  })

  it("uses each of the 120 random bits", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 15, maxLength: 15 }), fc.nat(119), (one, bit) => {
        const other = Uint8Array.from(one)
        other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        assert.notStrictEqual(LicenseKey.make(one), LicenseKey.make(other))
      })
    )
  })

  it("accepts human input: any case, blanks, no hyphens, I and L for 1, O for 0", () => {
    fc.assert(
      fc.property(random, fc.constantFrom("I", "i", "L", "l"), fc.constantFrom("O", "o"), (bytes, one, zero) => {
        const key = LicenseKey.make(bytes)
        const typed = ` ${key.toLowerCase().replaceAll("-", " ").replaceAll("1", one).replaceAll("0", zero)} `
        assert.strictEqual(LicenseKey.normalise(typed), key)
        assert.strictEqual(LicenseKey.normalise(key.replaceAll("-", "")), key)
      })
    )
  })

  it("refuses any single wrong character", () => {
    fc.assert(
      fc.property(random, places, fc.constantFrom(...digits), (bytes, place, digit) => {
        const key = LicenseKey.make(bytes)
        fc.pre(key[indexOf(place)] !== digit)
        assert.isUndefined(LicenseKey.normalise(replaced(key, place, digit)))
      })
    )
  })

  it("refuses any two exchanged characters, neighbours or not", () => {
    fc.assert(
      fc.property(random, places, places, (bytes, a, b) => {
        const key = LicenseKey.make(bytes)
        const [first = "", second = ""] = [key[indexOf(a)], key[indexOf(b)]]
        fc.pre(first !== second)
        assert.isUndefined(LicenseKey.normalise(replaced(replaced(key, a, second), b, first)))
      })
    )
  })

  it("refuses all other texts", () => {
    const key = LicenseKey.make(new Uint8Array(15).fill(7))
    for (const text of ["", "-----", `${key}0`, key.slice(1), `U${key.slice(1)}`, key + " ".repeat(100), `${key}é`]) {
      assert.isUndefined(LicenseKey.normalise(text), text)
    }
    fc.assert(fc.property(fc.string({ maxLength: 24 }), (text) => assert.isUndefined(LicenseKey.normalise(text))))
  })
})
