import { Result } from "effect"
import { Yaml } from "effect/encoding"
import type { Manifest } from "./Manifest.ts"

const block = /^\uFEFF?\s*---[ \t]*\r?\n([\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)/

const isMapping = (value: unknown): value is Manifest =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The YAML mapping at the head of a Markdown text and the text below it; undefined where there is none, or none that is valid. */
export const frontMatter = (text: string): { readonly manifest: Manifest; readonly body: string } | undefined => {
  const found = block.exec(text)
  if (found === null) return undefined
  const parsed = Result.try({ try: () => Yaml.parse(found[1] ?? ""), catch: () => "format" as const })
  return Result.isSuccess(parsed) && isMapping(parsed.success)
    ? { manifest: parsed.success, body: text.slice(found[0].length).trim() }
    : undefined
}
