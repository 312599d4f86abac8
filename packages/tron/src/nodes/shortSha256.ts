const primes = (count: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}

/** The first 32 bits of a number's fraction. */
const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32)

/** The constants of SHA-256 (FIPS 180-4): roots of the first primes. */
const constants = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)))
const initial = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)))

/** The longest message that fits into one block of 64 bytes with its padding. */
const mostBytes = 55

const schedule = new Int32Array(64)
const state = new Int32Array(8)
const at = (words: Int32Array, index: number): number => words[index] ?? 0

const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

/** Extends the 16 words of the block to 64. */
const extend = (): void => {
  for (let i = 16; i < 64; i++) {
    const early = at(schedule, i - 15)
    const late = at(schedule, i - 2)
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    schedule[i] = (((at(schedule, i - 16) + first) | 0) + ((at(schedule, i - 7) + second) | 0)) | 0
  }
}

const compress = (): void => {
  let a = at(initial, 0)
  let b = at(initial, 1)
  let c = at(initial, 2)
  let d = at(initial, 3)
  let e = at(initial, 4)
  let f = at(initial, 5)
  let g = at(initial, 6)
  let h = at(initial, 7)
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g)
    // Each sum stays a 32-bit integer, which the engine adds several times as fast as doubles.
    const mixed = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice) | 0
    const one = (mixed + at(constants, i) + at(schedule, i)) | 0
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  state[0] = a
  state[1] = b
  state[2] = c
  state[3] = d
  state[4] = e
  state[5] = f
  state[6] = g
  state[7] = h
}

/**
 * Writes the SHA-256 of at most 55 bytes to `digest`. A scanner that catches up computes a hundred thousand checksums of a few bytes per second; a
 * call of the runtime's hash takes several times as long as this.
 */
export const shortSha256 = (bytes: Uint8Array, digest: Uint8Array): void => {
  const { length } = bytes
  if (length > mostBytes) throw new RangeError(`${length} bytes do not fit into one block: at most ${mostBytes} do`)
  schedule.fill(0, 0, 16)
  for (let i = 0; i < length; i++) schedule[i >> 2] = at(schedule, i >> 2) | ((bytes[i] ?? 0) << (24 - 8 * (i & 3)))
  schedule[length >> 2] = at(schedule, length >> 2) | (0x80 << (24 - 8 * (length & 3)))
  schedule[15] = 8 * length
  extend()
  compress()
  for (let i = 0; i < 32; i++) digest[i] = (at(state, i >> 2) + at(initial, i >> 2)) >>> (24 - 8 * (i & 3))
}
