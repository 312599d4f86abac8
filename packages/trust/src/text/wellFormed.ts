/** NUL, and with the flag `u` also surrogates without their other half. */
const unstorable = /[\0\p{Surrogate}]/gu

/** The text with U+FFFD in place of NUL and of lone surrogates, which neither PostgreSQL nor strict readers of JSON accept. */
export const wellFormed = (text: string): string => text.replace(unstorable, "\uFFFD")

/** At most `length` UTF-16 code units of the text, the last one `…` if something was cut. A surrogate pair is never split. */
export const cutText = (text: string, length: number): string => {
  if (text.length <= length) return text
  const end = length - 1
  const last = text.charCodeAt(end - 1)
  return `${text.slice(0, last >= 0xd800 && last < 0xdc00 ? end - 1 : end)}…`
}
