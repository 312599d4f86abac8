import { isUtf8 } from "node:buffer"
import { ArchiveRefused, quoted } from "./ArchiveRefused.ts"
import { frontMatterBlock, parseFrontMatter } from "./FrontMatter.ts"
import type { Fields } from "./FrontMatter.ts"
import type { ArchiveFile } from "./manifestOf.ts"

/** The front matter of a `SKILL.md` in the open Agent Skills format (ARCHIVE-6). Fields that are not listed here are not checked. */
export interface SkillFrontMatter {
  /** At most 64 lower-case letters, digits and single hyphens between them. */
  readonly name: string
  /** 1 to 1,024 characters. */
  readonly description: string
  /** As written: `1.10` stays `1.10`. */
  readonly version: string | undefined
  readonly license: string | undefined
  /** Such as `Read` and `Bash(git add *)`; undefined if the field is absent. */
  readonly allowedTools: ReadonlyArray<string> | undefined
  readonly metadata: Readonly<Record<string, unknown>>
  /** Every field of the front matter as JSON, with the values that YAML gives them (ARCHIVE-14). */
  readonly written: { readonly name: string; readonly description: string; readonly [field: string]: unknown }
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

const refuse = (message: string): ArchiveRefused => new ArchiveRefused("front_matter", message)

const textOf = ({ values, written }: Fields, key: string, most: number): string | undefined => {
  const value = values.get(key)
  if (value === undefined || value === null) return undefined
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
    throw refuse(`${key} in SKILL.md must be text`)
  const text = (typeof value === "string" ? value : (written.get(key) ?? String(value))).trim()
  const length = [...text].length
  if (length > most) throw refuse(`${key} in SKILL.md has ${length} characters; at most ${most} are allowed`)
  return text === "" ? undefined : text
}

/** Names of tools are separated by spaces or commas, but not within the parentheses of one. */
const splitTools = (text: string): ReadonlyArray<string> => {
  const tools: Array<string> = []
  let tool = ""
  let depth = 0
  for (const character of text) {
    if (character === "(") depth++
    if (character === ")" && depth > 0) depth--
    if (depth === 0 && /[\s,]/.test(character)) {
      if (tool !== "") tools.push(tool)
      tool = ""
    } else tool += character
  }
  return tool === "" ? tools : [...tools, tool]
}

const toolsOf = ({ values }: Fields): ReadonlyArray<string> | undefined => {
  const value = values.get("allowed-tools")
  if (value === undefined || value === null) return undefined
  if (typeof value === "string") return splitTools(value)
  if (Array.isArray(value) && value.every((tool) => typeof tool === "string")) return value.map((tool) => tool.trim())
  throw refuse("allowed-tools in SKILL.md must be text or a list of texts")
}

const metadataOf = ({ values }: Fields): Readonly<Record<string, unknown>> => {
  const value = values.get("metadata")
  if (value === undefined || value === null) return {}
  if (typeof value !== "object" || Array.isArray(value)) throw refuse("metadata in SKILL.md must be a mapping")
  return value as Readonly<Record<string, unknown>>
}

/** Numbers that JSON does not have become null. */
const writtenOf = ({ values }: Fields, name: string, description: string): SkillFrontMatter["written"] => {
  const json = JSON.parse(JSON.stringify(Object.fromEntries(values))) as Readonly<Record<string, unknown>>
  const stated = json["description"]
  // A block of text ends with a line break, which a reader of the file also gets.
  return { ...json, name, description: typeof stated === "string" ? stated : description }
}

const nameForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** The front matter of the text of a `SKILL.md`; throws `ArchiveRefused`. */
const frontMatterOf = (text: string): SkillFrontMatter => {
  const fields = parseFrontMatter(frontMatterBlock(text, "SKILL.md"), "SKILL.md")
  const name = textOf(fields, "name", 64)
  if (name === undefined) throw refuse("name is missing in the front matter of SKILL.md")
  if (!nameForm.test(name))
    throw refuse(
      `name in SKILL.md is ${quoted(name)}; only lower-case letters, digits and single hyphens between them are allowed`
    )
  const description = textOf(fields, "description", 1024)
  if (description === undefined) throw refuse("description is missing in the front matter of SKILL.md")
  textOf(fields, "compatibility", 500)
  return {
    name,
    description,
    version: textOf(fields, "version", 256),
    license: textOf(fields, "license", 1024),
    allowedTools: toolsOf(fields),
    metadata: metadataOf(fields),
    written: writtenOf(fields, name, description)
  }
}

const checkUtf8 = ({ bytes, path }: ArchiveFile, reason: "skill_file" | "soul_file"): void => {
  if (!isUtf8(bytes)) throw new ArchiveRefused(reason, `${path} is not valid UTF-8`)
}

/** How many bytes of `SKILL.md` are parsed: enough for every front matter that is accepted. */
const start = 4 * 16_640

const orRefused = <A>(read: () => A): A | ArchiveRefused => {
  try {
    return read()
  } catch (error) {
    if (error instanceof ArchiveRefused) return error
    throw error
  }
}

/** The front matter of the files of a skill, which must have a `SKILL.md` at the top; or why they are refused. */
export const readSkill = (files: ReadonlyArray<ArchiveFile>): SkillFrontMatter | ArchiveRefused =>
  orRefused(() => {
    const skill = files.find(({ path }) => path === "SKILL.md")
    if (skill !== undefined) {
      checkUtf8(skill, "skill_file")
      return frontMatterOf(utf8.decode(skill.bytes.subarray(0, start)))
    }
    const similar = files.find(({ path }) => /(?:^|\/)skill\.md$/i.test(path))
    throw new ArchiveRefused(
      "skill_file",
      `the archive has no SKILL.md at its top, or in its one top folder${similar === undefined ? "" : `; it has ${quoted(similar.path)}`}`
    )
  })

/** The text of a SOUL, whose only file is `SOUL.md` (ARCHIVE-7); or why the files are refused. */
export const readSoul = (files: ReadonlyArray<ArchiveFile>): string | ArchiveRefused =>
  orRefused(() => {
    const [soul, other] = files
    if (soul === undefined || soul.path !== "SOUL.md" || other !== undefined)
      throw new ArchiveRefused("soul_file", "a SOUL has exactly one file, SOUL.md")
    checkUtf8(soul, "soul_file")
    return utf8.decode(soul.bytes)
  })
