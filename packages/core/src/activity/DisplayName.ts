/** Control, bidirectional, zero-width and otherwise invisible characters, and unpaired surrogates. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Names of files and frameworks that look like a domain but are not. */
const knownNames =
  /(?<![\p{L}\p{N}.@:/-])(?:(?:soul|skill|agents|readme)\.md|asp\.net|[\p{L}\p{N}-]+\.(?:[cm]?js|jsx|ts|tsx|css|html|json|ya?ml|toml|csv|sql|txt|xml|pdf))(?![\p{L}\p{N}_/:@-]|\.[\p{L}\p{N}])/giu

const addresses: ReadonlyArray<RegExp> = [
  /[^\s@]@[^\s@]/u,
  /[a-z][a-z0-9+.-]*:\/\//i,
  /\b(?:www\d?\.|mailto:|https?:)\S/i,
  // A bare domain, in any script.
  /[\p{L}\p{N}]\.(?:\p{L}{2,}|xn--[a-z0-9-]+)(?![\p{L}\p{N}-])/iu,
  /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/
]

const identifiers: ReadonlyArray<RegExp> = [
  // TRON addresses in base 58; EVM and TRON addresses and transaction hashes in hex; then other chains' addresses and random tokens.
  /T[1-9A-HJ-NP-Za-km-z]{33}/,
  /[0-9a-f]{40}/i,
  /(?=[a-z]*\d)[a-z0-9]{25}/i,
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i,
  /(?<![a-z0-9])(?:usr|agt|lst|key|rev|pur|apr|sub|ren|wdr|whk|dlv|evt|dep|txn|acc|amk|whsec)_[a-z0-9]/i,
  /(?<![a-z0-9])soul_(?=[a-z]*\d)[a-z0-9]{8}/i,
  /(?<![a-z0-9])[0-9a-z]{5}(?:-[0-9a-z]{5}){4}(?![a-z0-9])/i
]

/** The text as a reader perceives it: compatibility forms and ideographic full stops folded, accents removed. */
const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/(?<=[a-z0-9])。(?=[a-z])/gi, ".")

const givesAway = (text: string): boolean => {
  const plain = folded(text)
  if (identifiers.some((pattern) => pattern.test(plain))) return true
  const rest = plain.replace(knownNames, " ")
  return addresses.some((pattern) => pattern.test(rest))
}

const orElse =
  (fallback: string) =>
  (name: string): string => {
    const shown = name.replace(invisible, "").replace(/\s+/gu, " ").trim()
    return shown === "" || givesAway(shown) ? fallback : shown
  }

/**
 * Names as the public feed shows them (FEED-16). Invisible characters are dropped. A name that contains an e-mail address, a URL, a wallet
 * address, a transaction hash, an id or a key is replaced, also in doubtful cases.
 */
export const DisplayName: {
  /** The name of a person or agent, or `A creator`. */
  readonly public: (name: string) => string
  /** The name of a skill or soul, or `a skill`. */
  readonly publicItem: (name: string) => string
  /** The name, or the fallback. */
  readonly instead: (fallback: string) => (name: string) => string
} = {
  public: orElse("A creator"),
  publicItem: orElse("a skill"),
  instead: orElse
}
