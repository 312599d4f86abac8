import { Result } from "effect"
import { Yaml } from "effect/encoding"
import { DecimalLiteral } from "../money/DecimalLiteral.ts"

/** The fields of a SOUL.md's front matter. Missing fields, and text fields that contain a collection, are absent. */
export interface FrontMatter {
  readonly name?: string
  readonly description?: string
  readonly author?: string
  readonly category?: string
  /** The price as written, of any type. An invalid price is refused by the caller and never treated as free. */
  readonly price?: unknown
  readonly tags?: ReadonlyArray<string>
}

interface Parts {
  /** The text between the `---` lines; undefined if there is no block. */
  readonly block: string | undefined
  readonly body: ReadonlyArray<string>
}

/** Limits the cost of parsing the block. */
const maxBlockLength = 16_384

const maxDepth = 64

const isDelimiter = (line: string | undefined): boolean => line !== undefined && /^---[ \t]*$/.test(line)

const split = (content: string): Result.Result<Parts, "format"> => {
  const lines = content.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/)
  const first = lines.findIndex((line) => line.trim() !== "")
  if (!isDelimiter(lines[first])) return Result.succeed({ block: undefined, body: lines })
  const close = lines.findIndex((line, index) => index > first && isDelimiter(line))
  if (close === -1) return Result.fail("format")
  return Result.succeed({ block: lines.slice(first + 1, close).join("\n"), body: lines.slice(close + 1) })
}

const isShallow = (block: string): boolean => {
  let depth = 0
  for (const character of block) {
    if (character === "[" || character === "{") depth++
    else if (character === "]" || character === "}") depth = Math.max(0, depth - 1)
    if (depth > maxDepth) return false
  }
  return true
}

const scalar = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : undefined

const tagsOf = (value: unknown): ReadonlyArray<string> | undefined => {
  if (Array.isArray(value)) return value.flatMap((tag) => scalar(tag) ?? [])
  return scalar(value)
    ?.split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "")
}

/** Reads only the top level, so that nested YAML aliases are never expanded. */
const fields = (block: string, mapping: Readonly<Record<string, unknown>>): FrontMatter => {
  const texts = (["name", "description", "author", "category"] as const).flatMap((key) => {
    const text = scalar(mapping[key])
    return text === undefined ? [] : [[key, text] as const]
  })
  const tags = tagsOf(mapping.tags)
  const price = DecimalLiteral.exactField(block, "price", mapping.price)
  return {
    ...Object.fromEntries(texts),
    ...(price === undefined || price === null ? {} : { price }),
    ...(tags === undefined ? {} : { tags })
  }
}

const readBlock = (block: string): Result.Result<FrontMatter, "format"> => {
  if (block.length > maxBlockLength || !isShallow(block)) return Result.fail("format")
  return Result.try({ try: () => Yaml.parse(block), catch: () => "format" as const }).pipe(
    Result.flatMap((value) => {
      if (value === null && !/^[ \t]*[^ \t\n#]/m.test(block)) return Result.succeed({})
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? Result.succeed(fields(block, value as Readonly<Record<string, unknown>>))
        : Result.fail("format" as const)
    })
  )
}

const isSoulHeading = (line: string): boolean =>
  /^ {0,3}(?:#[ \t]+SOUL|##[ \t]+Identity)(?![\p{L}\p{M}\p{N}_])/iu.test(line)

const opensFence = (line: string): string | undefined => /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1]

const closesFence = (line: string, fence: string): boolean => {
  const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
  return closing !== undefined && closing.startsWith(fence)
}

/** The lines outside of fenced blocks. The content of a fenced block is an example, not a section. */
const unfenced = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  let fence: string | undefined
  for (const line of lines) {
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined
      continue
    }
    fence = opensFence(line)
    if (fence === undefined) found.push(line)
  }
  return found
}

export const SoulDocument: {
  /**
   * Reads a SOUL.md (SOUL-19, SOUL-20). `"format"`: neither a heading `# SOUL` nor a section `## Identity`, or a
   * front matter block that is not closed, is longer than 16,384 characters or is not a YAML mapping.
   */
  readonly parse: (content: string) => Result.Result<FrontMatter, "format">
  /** The front matter, independent of the text that follows; `"format"` if a block is opened but invalid. */
  readonly frontMatter: (content: string) => Result.Result<FrontMatter, "format">
  /** The lines after the front matter; all lines if its block is not closed. */
  readonly body: (content: string) => ReadonlyArray<string>
  /** The texts of the headings in these lines. */
  readonly headings: (lines: ReadonlyArray<string>) => ReadonlyArray<string>
} = {
  parse: (content) =>
    Result.flatMap(split(content), ({ block, body }) => {
      if (!unfenced(body).some(isSoulHeading)) return Result.fail("format" as const)
      return block === undefined ? Result.succeed({}) : readBlock(block)
    }),
  frontMatter: (content) =>
    Result.flatMap(split(content), ({ block }) => (block === undefined ? Result.succeed({}) : readBlock(block))),
  body: (content) =>
    Result.match(split(content), { onFailure: () => content.split(/\r\n|\n|\r/), onSuccess: ({ body }) => body }),
  headings: (lines) => unfenced(lines).flatMap((line) => /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line)?.[1] ?? [])
}
