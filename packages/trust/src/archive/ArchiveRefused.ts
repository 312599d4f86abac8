/** Stable codes of why an archive is refused. Codes are only added, never renamed. */
export type RefusalReason =
  | "not_an_archive"
  | "unsupported_format"
  | "prefixed"
  | "truncated"
  | "damaged"
  | "trailing_data"
  | "too_large"
  | "unpacked_too_large"
  | "ratio"
  | "too_many_files"
  | "too_deep"
  | "empty"
  | "name_too_long"
  | "name_encoding"
  | "name_not_nfc"
  | "name_characters"
  | "name_absolute"
  | "name_outside"
  | "name_malformed"
  | "name_reserved"
  | "name_conflict"
  | "link"
  | "device"
  | "sparse"
  | "setuid"
  | "encrypted"
  | "unsupported_entry"
  | "headers_differ"
  | "overlap"
  | "multi_volume"
  | "zip64"
  | "extended_header"
  | "skill_file"
  | "soul_file"
  | "front_matter"

/** Hidden characters would let a name forge the message that quotes it. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}"\\]|\p{Default_Ignorable_Code_Point}/u

const maxQuoted = 120

const escaped = (character: string): string =>
  character === '"' || character === "\\"
    ? `\\${character}`
    : `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`

/** Text from an archive for a message: in quotes, characters that cannot be seen as `\u{…}`, cut at about 120 characters. */
export const quoted = (text: string): string => {
  let shown = ""
  for (const character of text) {
    if (shown.length >= maxQuoted) return `"${shown}…"`
    shown += hidden.test(character) ? escaped(character) : character
  }
  return `"${shown}"`
}

/** The archive breaks a rule (ARCHIVE-5); nothing of it may be used. `message` states the rule and names the entry. */
export class ArchiveRefused extends Error {
  override readonly name = "ArchiveRefused"
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}
