import { addHit } from "./addHit.ts"
import type { Hits } from "./matchWords.ts"

export const isBase58 = (char: string) => (char >= "1" && char <= "9") || (char >= "a" && char <= "z")
const isHex = (char: string) => (char >= "0" && char <= "9") || (char >= "a" && char <= "f")

/** Addresses of wallets: `0x` and 40 hexadecimal digits, `bc1…`, and 33 or 34 characters that start with `t` (TRON). */
export const addressSignals = (text: string, hits: Hits): void => {
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if ((char !== "0" && char !== "t" && char !== "b") || (i > 0 && isBase58(text.charAt(i - 1)))) continue
    let end = i
    if (char === "0" && text[i + 1] === "x") {
      end = i + 2
      while (end < text.length && isHex(text.charAt(end))) end++
      if (end - i === 42 || (end - i >= 10 && text.startsWith("...", end))) addHit(hits, "address", i, end)
    } else if ((char === "b" && text.startsWith("bc1", i)) || char === "t") {
      while (end < text.length && isBase58(text.charAt(end))) end++
      if ((char === "b" && end - i >= 30 && end - i <= 64) || (char === "t" && end - i === 34))
        addHit(hits, "address", i, end)
    }
    i = Math.max(i, end - 1)
  }
}

export const emailSignals = (text: string, hits: Hits): void => {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    let start = at
    while (start > 0 && (isBase58(text.charAt(start - 1)) || "0._+-".includes(text.charAt(start - 1)))) start--
    let end = at + 1
    while (end < text.length && (isBase58(text.charAt(end)) || "0.-".includes(text.charAt(end)))) end++
    const domain = text.slice(at + 1, end)
    if (start < at && domain.includes(".") && !domain.startsWith(".") && at - start < 65 && text[end] !== ":")
      addHit(hits, "email", start, end)
  }
}
