import { conceptIndex } from "./concepts.ts"
import { has } from "./has.ts"
import type { Hits } from "./matchWords.ts"

const negation = conceptIndex("negation")
const without = conceptIndex("without")
const disclose = conceptIndex("disclose")
const user = conceptIndex("user")
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
    if (digits >= 8 && signs >= 11 && signs <= 30) hits.push(concept, i, end)
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
    if (parts.length === 4 && parts.every((part) => part < 256) && isPublic(parts)) hits.push(concept, start, at)
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

/** Greatest distance in characters from a negation to the verb, and from the verb to whom it concerns. */
const withholdReach = 45

/** How far before "without" a negation makes a double one, in characters. */
const doubleReach = 70

/** A negation and a verb of telling around the owner: "need not be told", "ohne den Nutzer zu informieren". */
const withholding = (hits: Hits): void => {
  const owners: Array<number> = []
  const verbs: Array<number> = []
  for (let i = 0; i < hits.length; i += 3) {
    if (hits[i] === user) owners.push(hits[i + 1]!)
    if (hits[i] === disclose) verbs.push(hits[i + 1]!, hits[i + 2]!)
  }
  if (owners.length === 0 || verbs.length === 0) return
  let owner = 0
  let last = -1
  let negated = -1
  const found: Array<number> = []
  for (let i = 0, v = 0; i < hits.length; i += 3) {
    if (hits[i] !== negation && hits[i] !== without) continue
    const start = hits[i + 1]!
    // "Never send anything without telling" asks for telling.
    if (hits[i] === without && negated >= 0 && start - negated < doubleReach) continue
    if (hits[i] === negation && start > negated) negated = start
    if (start <= last) continue
    while (v < verbs.length && verbs[v + 1]! < start) v += 2
    if (v >= verbs.length) break
    if (verbs[v]! - hits[i + 2]! > withholdReach) continue
    const from = Math.min(start, verbs[v]!) - withholdReach
    const to = Math.max(hits[i + 2]!, verbs[v + 1]!) + withholdReach
    while (owner < owners.length && owners[owner]! < from) owner++
    if (owner < owners.length && owners[owner]! <= to) {
      found.push(start, Math.max(hits[i + 2]!, verbs[v + 1]!))
      last = verbs[v + 1]!
    }
  }
  for (let i = 0; i < found.length; i += 2) hits.push(conceptIndex("withhold"), found[i]!, found[i + 1]!)
}

/** In Portuguese, "no" means "in the": there it negates nothing. */
const portugueseNo = (hits: Hits): void => {
  for (let i = 0; i < hits.length; i += 3)
    if (hits[i] === negation && hits[i + 1]! + 2 === hits[i + 2]) hits[i] = portuguese
}

const digitsIn = (text: string): number => {
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 48 && code <= 57) digits++
  }
  return digits
}

/** Adds what a parser finds about accounts, addresses and secrecy in one statement. `mask` are the concepts that its words mean. */
export const accountSignals = (text: string, hits: Hits, mask: Int32Array): void => {
  const digits = digitsIn(text)
  if (digits >= 4 && text.includes(".")) ipLiterals(text, hits)
  if (digits >= 10) bankAccounts(text, hits)
  if (has(mask, portuguese) && has(mask, negation)) portugueseNo(hits)
  if (has(mask, user) && has(mask, disclose) && (has(mask, negation) || has(mask, without))) withholding(hits)
}
