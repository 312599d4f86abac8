/** Consonants that are hard to confuse, and that spell no words (RFC 8628, 6.1). */
const alphabet = "BCDFGHJKLMNPQRSTVWXZ"

const length = 8

/** The code that a person types to connect a device (OAUTH-12): 20⁸ possibilities. */
export const UserCode = {
  /** The number of random bytes that `make` needs. It skips bytes that would favour some letters. */
  bytes: 64,
  make: (random: Uint8Array): string => {
    const letters = [...random].filter((byte) => byte < 240).map((byte) => alphabet.charAt(byte % alphabet.length))
    return letters.slice(0, length).join("")
  },
  /** As shown to people. */
  shown: (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`,
  /** As stored and compared: without hyphens and blanks, in capitals. */
  normalised: (text: string): string => text.replace(/[\s-]/g, "").toUpperCase()
}
