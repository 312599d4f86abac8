const mostShown = 120

/** Untrusted text made safe for a message: in quotes, with control and direction characters escaped, and shortened. */
export const quoted = (text: string): string => {
  const cut = text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
  return JSON.stringify(cut).replaceAll(
    /[\u007f-\u009f\p{Cf}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
  )
}
