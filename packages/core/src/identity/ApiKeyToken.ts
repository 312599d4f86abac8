const prefix = "amk_"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const randomBytes = 24

/** 192 bits need 33 characters of base 62. */
const randomLength = 33

const checksumLength = 6

const shownLength = 12

const wellFormed = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

const base62 = (value: bigint, length: number): string => {
  let text = ""
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text
  return text
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

const crc32 = (ascii: string): number => {
  let crc = 0xffffffff
  for (let i = 0; i < ascii.length; i++) crc = (crc >>> 8) ^ (crcTable[(crc ^ ascii.charCodeAt(i)) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

const checksum = (random: string): string => {
  let text = ""
  for (let rest = crc32(random); text.length < checksumLength; rest = Math.floor(rest / 62)) {
    text = alphabet.charAt(rest % 62) + text
  }
  return text
}

/**
 * The secret token of an API key (KEY-12): `amk_`, 33 characters of base 62 with 192 random bits, and their CRC32 in 6 more characters.
 * Secret scanners can find leaked tokens, and a typo is refused without a look-up.
 */
export const ApiKeyToken: {
  /** The token of the first 24 bytes of `random`, which must hold at least that many. */
  readonly make: (random: Uint8Array) => string
  /** Whether the prefix, length, alphabet and checksum are right. The key need not exist. */
  readonly isWellFormed: (token: string) => boolean
  /** Whether the text is an attempt at a key of the market, valid or not. */
  readonly isMeant: (token: string) => boolean
  /** The first 12 characters, as lists show them. */
  readonly prefixOf: (token: string) => string
} = {
  make: (random) => {
    let value = 0n
    for (const byte of random.subarray(0, randomBytes)) value = (value << 8n) | BigInt(byte)
    const text = base62(value, randomLength)
    return prefix + text + checksum(text)
  },
  isWellFormed: (token) => {
    if (!wellFormed.test(token)) return false
    const end = prefix.length + randomLength
    return checksum(token.slice(prefix.length, end)) === token.slice(end)
  },
  isMeant: (token) => token.startsWith(prefix),
  prefixOf: (token) => token.slice(0, shownLength)
}
