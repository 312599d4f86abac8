const mostShown = 120

/** Text from outside as it may stand in a message: in quotes, its control and direction characters written out, cut where it is long. */
export const quoted = (text: string): string => {
  const cut = text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
  return JSON.stringify(cut).replaceAll(
    /[\u007f-\u009f\p{Cf}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
  )
}
