const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const randomLength = 24

const maxInputLength = 64

/** Multiplies by the generator of GF(32), x⁵ + x² + 1. */
const timesGenerator = (value: number): number => (value & 16 ? (value << 1) ^ 0b100101 : value << 1)

/**
 * The sum of the digits, each weighted with a power of the generator. The powers are distinct for 31 places, so a single wrong character or
 * two exchanged characters always change the sum.
 */
const weigh = (text: string): number => {
  let sum = 0
  for (const character of text) sum = timesGenerator(sum) ^ alphabet.indexOf(character)
  return sum
}

const grouped = (text: string): string => text.replace(/.{5}(?=.)/g, "$&-")

/** `XXXXX-XXXXX-XXXXX-XXXXX-XXXXX` in Crockford's base 32: 120 random bits and a check character (LICENSE-1). */
export const LicenseKey: {
  /** The key of the first 15 bytes of `random`, which must hold at least that many. */
  readonly make: (random: Uint8Array) => string
  /**
   * The key in its issued form, from a person's input: case, hyphens and blanks are ignored, I and L are read as 1, O as 0. Undefined if
   * it is not a key, or if a character is wrong or two are exchanged.
   */
  readonly normalise: (input: string) => string | undefined
} = {
  make: (random) => {
    let value = 0n
    for (const byte of random.subarray(0, 15)) value = (value << 8n) | BigInt(byte)
    let text = ""
    for (; text.length < randomLength; value >>= 5n) text = alphabet.charAt(Number(value & 31n)) + text
    return grouped(text + alphabet.charAt(timesGenerator(weigh(text))))
  },
  normalise: (input) => {
    if (input.length > maxInputLength) return undefined
    const text = input
      .replace(/[\s-]/g, "")
      .replace(/[a-z]/g, (letter) => letter.toUpperCase())
      .replace(/[IL]/g, "1")
      .replace(/O/g, "0")
    return /^[0-9A-HJKMNP-TV-Z]{25}$/.test(text) && weigh(text) === 0 ? grouped(text) : undefined
  }
}
