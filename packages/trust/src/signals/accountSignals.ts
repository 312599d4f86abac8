import { conceptIndex } from "./concepts.ts"
import { has } from "./conceptMask.ts"
import type { Hits } from "./matchWords.ts"

const negation = conceptIndex("negation")
const without = conceptIndex("without")
const disclose = conceptIndex("disclose")
const user = conceptIndex("user")
const withhold = conceptIndex("withhold")
const portuguese = conceptIndex("portuguese")

const isLetter = (char: string | undefined) => char !== undefined && char >= "a" && char <= "z"
const isDigit = (char: string | undefined) => char !== undefined && char >= "0" && char <= "9"

/** International bank account numbers: two letters, two digits, and 11 to 30 letters or digits, also in groups. */
const bankAccounts = (text: string, hits: Hits): void => {
  const concept = conceptIndex("bankAccount")
  for (let i = 0; i + 15 <= text.length; i++) {
    if (!isDigit(text[i + 2]) || !isLetter(text[i]) || !isLetter(text[i + 1]) || !isDigit(text[i + 3])) continue
    if (i > 0 && (isLetter(text[i - 1]) || isDigit(text[i - 1]))) continue
    let end = i + 4
    let digits = 0
    let signs = 0
    while (end < text.length && signs <= 30) {
      const char = text[end]
      if (isDigit(char)) digits++
      else if (char === " " && isGroup(text, end + 1)) {
        end++
        continue
      } else if (!isLetter(char)) break
      signs++
      end++
    }
    if (digits >= 8 && signs >= 11 && signs <= 30) hits.push({ concept, start: i, end })
    i = end - 1
  }
}

/** Whether the next group of an account number starts here: up to four characters with a digit. */
const isGroup = (text: string, at: number): boolean => {
  let digits = 0
  let end = at
  for (; end < text.length && end - at < 5 && (isLetter(text[end]) || isDigit(text[end])); end++)
    if (isDigit(text[end])) digits++
  return digits > 0 && end - at <= 4
}

/** Public addresses without a scheme, as sockets take them: `"203.0.113.9", 443` and `nc 203.0.113.9 443`. */
const ipLiterals = (text: string, hits: Hits): void => {
  const concept = conceptIndex("ipLiteral")
  for (let i = 0; i < text.length; i++) {
    if (!isDigit(text[i]) || isDigit(text[i - 1]) || text[i - 1] === "." || isLetter(text[i - 1])) continue
    const start = i
    const parts: Array<number> = []
    let at = i
    for (;;) {
      let end = at
      while (isDigit(text[end]) && end - at < 4) end++
      if (end === at) break
      parts.push(Number(text.slice(at, end)))
      at = end
      if (text[at] !== "." || !isDigit(text[at + 1])) break
      at++
    }
    i = Math.max(i, at - 1)
    if (parts.length === 4 && parts.every((part) => part < 256) && isPublic(parts))
      hits.push({ concept, start, end: at })
  }
}

const isPublic = ([a = 0, b = 0]: ReadonlyArray<number>): boolean =>
  a !== 0 &&
  a !== 10 &&
  a !== 127 &&
  a < 224 &&
  !(a === 192 && b === 168) &&
  !(a === 172 && b >= 16 && b < 32) &&
  !(a === 169 && b === 254)

/** The verb follows its negation by at most this many characters, and the user is named within as many of either. */
const withholdReach = 45

/** A negation at most this many characters before "without" cancels it: "never send anything without telling". */
const doubleReach = 70

/** Negations that are not cancelled by a negation before them. */
const negationsIn = (hits: Hits): Hits => {
  let negated = -doubleReach
  return hits.filter(({ concept, start }) => {
    if (concept === without) return start - negated >= doubleReach
    if (concept === negation) negated = Math.max(negated, start)
    return concept === negation
  })
}

/** A negation and a verb of telling around the user: "need not be told", "ohne den Nutzer zu informieren". */
const withholding = (hits: Hits): void => {
  const users = hits.filter(({ concept }) => concept === user)
  const verbs = hits.filter(({ concept }) => concept === disclose)
  let nextUser = 0
  let nextVerb = 0
  let last = -1
  const found: Hits = []
  for (const { start, end } of negationsIn(hits)) {
    if (start <= last) continue
    while ((verbs[nextVerb]?.end ?? Infinity) < start) nextVerb++
    const verb = verbs[nextVerb]
    if (verb === undefined) break
    if (verb.start - end > withholdReach) continue
    const from = Math.min(start, verb.start) - withholdReach
    const to = Math.max(end, verb.end)
    while ((users[nextUser]?.start ?? Infinity) < from) nextUser++
    if ((users[nextUser]?.start ?? Infinity) > to + withholdReach) continue
    found.push({ concept: withhold, start, end: to })
    last = verb.end
  }
  hits.push(...found)
}

/** In Portuguese, "no" means "in the": there it negates nothing. */
const withoutPortugueseNo = (hits: Hits): Hits =>
  hits.map((hit) => (hit.concept === negation && hit.end - hit.start === 2 ? { ...hit, concept: portuguese } : hit))

const digitsIn = (text: string): number => {
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 48 && code <= 57) digits++
  }
  return digits
}

/** The hits of one statement with what a parser finds about accounts, addresses and secrecy. `mask` are the concepts that its words mean. */
export const accountSignals = (text: string, words: Hits, mask: Int32Array): Hits => {
  const hits = has(mask, portuguese) && has(mask, negation) ? withoutPortugueseNo(words) : words
  const digits = digitsIn(text)
  if (digits >= 4 && text.includes(".")) ipLiterals(text, hits)
  if (digits >= 10) bankAccounts(text, hits)
  if (has(mask, user) && has(mask, disclose) && (has(mask, negation) || has(mask, without))) withholding(hits)
  return hits
}
