import { hash } from "node:crypto"

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** 21 bytes and their checksum, as words of 16 bits. */
const words = 13

/** Four digits at once: a remainder below it, shifted by a word, is an exact double. */
const divisor = 58 ** 4

const sha256 = (bytes: Uint8Array): Buffer => hash("sha256", bytes, "buffer")

const limbs = new Uint16Array(words)

/**
 * The address of 20 bytes in hexadecimal, as people write it. The same as core's TronAddress, some thirty times as fast: while it
 * catches up, a scanner writes tens of thousands in a second.
 */
export const addressOf = (hex20: string): string => {
  const payload = Buffer.from(`41${hex20}`, "hex")
  const full = Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)])
  limbs[0] = full[0] ?? 0
  for (let i = 1; i < words; i++) limbs[i] = full.readUInt16BE(2 * i - 1)
  let text = ""
  for (let first = 0; first < words;) {
    let rest = 0
    for (let i = first; i < words; i++) {
      const value = rest * 65_536 + (limbs[i] ?? 0)
      limbs[i] = Math.floor(value / divisor)
      rest = value % divisor
    }
    while (first < words && limbs[first] === 0) first++
    for (let digit = 0; digit < 4; digit++) {
      text = alphabet.charAt(rest % 58) + text
      rest = Math.floor(rest / 58)
    }
  }
  // An address begins with 0x41 and so with T: what stands before it are digits of zero.
  return text.replace(/^1+/, "")
}

/** The 21 bytes of an address in hexadecimal. The address must be a valid one: its checksum is not looked at. */
export const hexOf = (address: string): string => {
  let value = 0n
  for (const character of address) value = value * 58n + BigInt(alphabet.indexOf(character))
  return value.toString(16).padStart(50, "0").slice(0, 42)
}
