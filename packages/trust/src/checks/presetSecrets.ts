import { lintSource } from "@secretlint/core"
import { creator } from "@secretlint/secretlint-rule-preset-recommend"
import type { SecretSpan } from "./knownTokens.ts"

const config = { rules: [{ id: creator.meta.id, rule: creator, options: {} }] }

const isTokenEnd = (code: number): boolean =>
  !(
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 43 ||
    code === 45 ||
    code === 47 ||
    code === 61 ||
    code === 95
  )

/** Some rules of the preset report a range that ends before the secret does. */
const extended = (text: string, end: number): number => {
  let at = end
  while (at < text.length && !isTokenEnd(text.charCodeAt(at))) at++
  return at
}

/** The secrets that the recommended preset of secretlint finds in each text. All texts are one input: a run of the preset costs more than its length. */
export const presetSecrets = async (
  texts: ReadonlyArray<string>
): Promise<ReadonlyArray<ReadonlyArray<SecretSpan>>> => {
  const found: ReadonlyArray<Array<SecretSpan>> = texts.map(() => [])
  let content = ""
  const starts = texts.map((text) => {
    const start = content.length
    content += `${text}\n\n`
    return start
  })
  if (content.trim() === "") return found
  const { messages } = await lintSource({
    source: { filePath: "release.txt", content, ext: ".txt", contentType: "text" },
    options: { config, noPhysicFilePath: true, maskSecrets: true }
  })
  for (const { range, ruleId } of messages) {
    const index = starts.findLastIndex((start) => start <= range[0])
    const text = texts[index]
    if (text === undefined) continue
    const from = starts[index] ?? 0
    const [start, end] = [range[0] - from, extended(text, Math.min(range[1] - from, text.length))]
    found[index]?.push({ start, end, kind: ruleId.replace("@secretlint/secretlint-rule-", ""), shown: 0 })
  }
  return found
}
