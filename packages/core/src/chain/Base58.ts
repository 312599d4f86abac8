import { Result } from "effect"

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** The cost grows with the square of the length; no address or key is nearly this long. */
const maxLength = 256

const toBytes = (value: bigint): Array<number> => {
  const bytes: Array<number> = []
  for (let rest = value; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn))
  return bytes.toReversed()
}

/** Base 58 with Bitcoin's alphabet and no checksum. Each leading zero byte is a leading `1`. */
export const Base58: {
  readonly encode: (bytes: Uint8Array) => string
  /** Accepts at most 256 characters. Fails on a character outside the alphabet. */
  readonly decode: (text: string) => Result.Result<Uint8Array, string>
} = {
  encode: (bytes) => {
    let value = 0n
    for (const byte of bytes) value = (value << 8n) | BigInt(byte)
    let text = ""
    for (; value > 0n; value /= 58n) text = alphabet.charAt(Number(value % 58n)) + text
    const zeros = bytes.findIndex((byte) => byte !== 0)
    return "1".repeat(zeros === -1 ? bytes.length : zeros) + text
  },
  decode: (text) => {
    if (text.length > maxLength) return Result.fail(`must have at most ${maxLength} characters`)
    if (!/^[1-9A-HJ-NP-Za-km-z]*$/.test(text)) return Result.fail("must be base 58")
    let value = 0n
    for (const character of text) value = value * 58n + BigInt(alphabet.indexOf(character))
    const zeros = text.length - text.replace(/^1+/, "").length
    return Result.succeed(Uint8Array.from([...Array<number>(zeros).fill(0), ...toBytes(value)]))
  }
}
