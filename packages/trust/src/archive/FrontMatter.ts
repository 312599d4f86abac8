import { Alias, isAlias, isMap, isScalar, Lexer, parseDocument, visit } from "yaml"
import type { Document } from "yaml"
import { ArchiveRefused, quoted } from "./ArchiveRefused.ts"

/** Bounds of the block between the `---` lines: characters, levels, values in all, and tokens of YAML. */
const maxLength = 16_384
const maxDepth = 32
const maxNodes = 2000
const maxTokens = 6000

const refuse = (message: string): ArchiveRefused => new ArchiveRefused("front_matter", message)

/** The block between the first line, `---`, and the next such line. Only the start of a long text is read. */
export const frontMatterBlock = (text: string, file: string): string => {
  const lines = text
    .slice(0, maxLength + 64)
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
  const isDelimiter = (line: string | undefined): boolean => line !== undefined && /^---[ \t]*$/.test(line)
  if (!isDelimiter(lines[0]))
    throw refuse(`${file} must start with front matter: a line "---", then YAML, then a line "---"`)
  const close = lines.findIndex((line, index) => index > 0 && isDelimiter(line))
  if (close === -1)
    throw refuse(`the front matter of ${file} has no line "---" at its end, or more than ${maxLength} characters`)
  return lines.slice(1, close).join("\n")
}

/** The parser takes quadratic time for many keys or errors, so the tokens are counted first, in linear time. */
const hasTooManyTokens = (block: string): boolean => {
  let tokens = 0
  for (const _token of new Lexer().lex(block)) if (++tokens > maxTokens) return true
  return false
}

/** Brackets and the dashes of compact lists nest without indentation, so they are counted before anything recursive reads them. */
const isTooDeep = (block: string): boolean => {
  let open = 0
  for (const character of block) {
    if (character === "[" || character === "{") open++
    else if ((character === "]" || character === "}") && open > 0) open--
    if (open > maxDepth) return true
  }
  return block
    .split("\n")
    .some((line) => (/^(?:[ \t]*[-?:][ \t])+/.exec(line)?.[0].match(/[-?:]/g)?.length ?? 0) > maxDepth)
}

/** `key: text: more` and `key: text #1` are common at the top level; YAML reads the first as an error and the second as a comment. */
const withQuotedText = (block: string): string =>
  block
    .split("\n")
    .map((line) => {
      const [, key, value] = /^([A-Za-z][\w-]{0,63}):[ \t]+([^\s"'|>&*!%@`[{#-].*)$/.exec(line) ?? []
      return key === undefined || value === undefined || !/:(?:[ \t]|$)/.test(value)
        ? line
        : `${key}: ${JSON.stringify(value)}`
    })
    .join("\n")

const parse = (block: string): Document.Parsed =>
  parseDocument(block, { schema: "core", version: "1.2", logLevel: "error", prettyErrors: false, stringKeys: true })

/** Anchors, aliases and explicit tags are refused: aliases can expand without bound, and tags change what a value is. */
const checkNodes = (document: Document.Parsed, file: string): void => {
  let nodes = 0
  visit(document, {
    Node: (_key, node, path) => {
      nodes++
      if (nodes > maxNodes) throw refuse(`the front matter of ${file} has more than ${maxNodes} values`)
      if (path.length > 2 * maxDepth)
        throw refuse(`the front matter of ${file} is nested more than ${maxDepth} levels deep`)
      if (isAlias(node) || node instanceof Alias || node.anchor !== undefined)
        throw refuse(`the front matter of ${file} has an anchor or alias; write the value out`)
      if (
        node.tag !== undefined &&
        /^![^!]|^!$|^tag:(?!yaml\.org,2002:(?:map|seq|str|int|float|bool|null)$)/.test(node.tag)
      )
        throw refuse(`the front matter of ${file} has the tag ${quoted(node.tag)}; use plain values`)
      if (isScalar(node) && typeof node.value === "string" && /[\0\p{Surrogate}]/u.test(node.value))
        throw refuse(`the front matter of ${file} has a text with a NUL character or half of a surrogate pair`)
    }
  })
}

/** Where an error is, in lines of the file. The block starts in line 2. */
const lineOf = (block: string, offset: number): number => block.slice(0, offset).split("\n").length + 1

/** The fields of a YAML block. Numbers are also available as they are written, because `1.10` is a version. */
export interface Fields {
  readonly values: ReadonlyMap<string, unknown>
  readonly written: ReadonlyMap<string, string>
}

const fieldsOf = (document: Document.Parsed, file: string): Fields => {
  if (!isMap(document.contents)) throw refuse(`the front matter of ${file} must be fields such as "name: my-skill"`)
  const values = new Map<string, unknown>()
  const written = new Map<string, string>()
  for (const { key, value } of document.contents.items) {
    if (!isScalar(key)) throw refuse(`the front matter of ${file} has a key that is not text`)
    const name = String(key.value)
    values.set(name, value === null ? null : (value as { toJS: (doc: unknown) => unknown }).toJS(document))
    if (isScalar(value) && typeof value.source === "string") written.set(name, value.source)
  }
  return { values, written }
}

/** Parses the block of `file` with bounds on its size, depth and number of values; throws `ArchiveRefused`. */
export const parseFrontMatter = (block: string, file: string): Fields => {
  if (isTooDeep(block)) throw refuse(`the front matter of ${file} is nested more than ${maxDepth} levels deep`)
  if (hasTooManyTokens(block)) throw refuse(`the front matter of ${file} has more than ${maxTokens} tokens of YAML`)
  let document = parse(block)
  if (document.errors.length > 0) {
    const lenient = parse(withQuotedText(block))
    if (lenient.errors.length === 0) document = lenient
  }
  const [error] = document.errors
  if (error !== undefined)
    throw refuse(
      `the front matter of ${file} is not valid YAML in line ${lineOf(block, error.pos[0])}: ${quoted(error.message)}; put text with ":" in quotes`
    )
  checkNodes(document, file)
  return fieldsOf(document, file)
}
