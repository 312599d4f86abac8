const header = "TRON-PRO-API-KEY"

/** The characters of an answer that an error shows. */
const mostShown = 120

/** The start of a node's answer for an error. A node may echo the request, so the key is removed, and everything after the name of its header (CHAIN-21). */
export const shownAnswer = (answer: string, headers: Readonly<Record<string, string>>): string => {
  const key = headers[header] ?? ""
  const masked = key === "" ? answer : answer.replaceAll(key, "***")
  const echo = masked.toUpperCase().indexOf(header)
  return (echo < 0 ? masked : `${masked.slice(0, echo)}${header}: ***`).slice(0, mostShown)
}
