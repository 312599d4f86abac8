/** Why an address is flagged, for the operator: never a secret (SCREENING-5). */
export interface ScreeningEvidence {
  /** The list or the service that flagged it. */
  readonly source: string
  /** Where in the list, or the service's own reference. */
  readonly reference: string
}

/** The maximum number of characters of each text. */
const maxLength = 200

/** Printable characters only, in one line, at most 200. */
const line = (text: string): string => {
  const printable = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim()
  const characters = [...printable]
  return characters.length <= maxLength ? printable : `${characters.slice(0, maxLength - 1).join("")}…`
}

/** The evidence in the form in which it is stored: the text of a list or a service is untrusted. */
export const boundedEvidence = ({ reference, source }: ScreeningEvidence): ScreeningEvidence => ({
  source: line(source),
  reference: line(reference)
})
