import { addressSignals, emailSignals } from "./contactSignals.ts"
import type { Hits } from "./matchWords.ts"
import { pipeSignals, substitutionSignals } from "./shellSignals.ts"
import { bareHostSignals, bareUrlSignals, hostLiteralSignals, imageSignals, urlSignals } from "./urlSignals.ts"

/** Adds what a parser finds in one statement. */
export const derivedSignals = (text: string, hits: Hits, code: boolean): void => {
  if (text.includes("://")) urlSignals(text, hits)
  else if (text.includes("curl ") || text.includes("wget ") || text.includes("irm ") || text.includes("iwr "))
    bareUrlSignals(text, hits)
  if (text.includes(".")) {
    if (code) hostLiteralSignals(text, hits)
    else bareHostSignals(text, hits)
  }
  if (text.includes("|")) pipeSignals(text, hits)
  if (
    text.includes("curl") ||
    text.includes("wget") ||
    text.includes("irm ") ||
    text.includes("iwr ") ||
    text.includes("webclient") ||
    text.includes("invoke-")
  )
    substitutionSignals(text, hits, code)
  if (text.includes("@")) emailSignals(text, hits)
  if (text.length >= 30) addressSignals(text, hits)
  const image = text.indexOf("![")
  if (image >= 0 || text.includes("<img")) imageSignals(text, hits, Math.max(0, image))
}
