import { readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { ScannedFile } from "../src/scan.ts"

/** One labelled case. Files of cases: see `corpus/README.md`. */
export interface Case {
  readonly name: string
  readonly label: "honest" | "malicious"
  /** Of a malicious case: the family of its attack. */
  readonly family: string
  /** An honest case that looks like an attack. */
  readonly hard: boolean
  readonly kind: "skill" | "soul"
  readonly files: ReadonlyArray<ScannedFile>
  readonly source: string
  /**
   * The folder: `independent/`, whose authors had not read the rules, or `unseen/`, for which moreover no rule was changed and no weight was
   * trained; "" for the cases of the rules' authors.
   */
  readonly origin: "" | "independent" | "unseen"
}

/** `\u{200B}` in a case stands for that character, so that the files of the corpus hide nothing. */
const unescaped = (text: string): string =>
  text.replace(/\\u\{([0-9a-fA-F]{1,6})\}/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))

const encoder = new TextEncoder()

/** Main files of cases with a third column get their front matter from it. */
const frontMatter = (path: string, name: string, description: string | undefined): string =>
  description !== undefined && path === "SKILL.md"
    ? `---\nname: ${name.replaceAll(" ", "-")}\ndescription: ${description}\n---\n`
    : ""

const fileOf = (part: string, name: string, description: string | undefined): ScannedFile => {
  const end = part.indexOf("\n")
  const [path = "", form] = part.slice(0, end).trim().split(" ")
  const text = part.slice(end + 1)
  return {
    path,
    bytes:
      form === "base64"
        ? new Uint8Array(Buffer.from(text.trim(), "base64"))
        : encoder.encode(frontMatter(path, name, description) + unescaped(text))
  }
}

const origins = ["independent", "unseen"] as const

const caseOf = (part: string, source: string): Case => {
  const end = part.indexOf("\n")
  const [head, name, description] = part
    .slice(0, end)
    .split("|")
    .map((word) => word.trim())
  const [label, detail = ""] = (head ?? "").split(" ")
  if ((label !== "honest" && label !== "malicious") || name === undefined)
    throw new Error(
      `${source}: a case starts with "=== honest | name" or "=== malicious family | name", not "${part.slice(0, end)}"`
    )
  const files = `\n${part.slice(end + 1)}`
    .split("\n--- ")
    .slice(1)
    .map((file) => fileOf(file, name, description))
  if (files.length === 0)
    throw new Error(`${source}: the case "${name}" has no file; a file starts with "--- SKILL.md"`)
  const paths = new Set(files.map((file) => file.path))
  return {
    name,
    label,
    family: label === "malicious" ? detail : "",
    hard: detail === "hard",
    kind: paths.has("SOUL.md") && !paths.has("SKILL.md") ? "soul" : "skill",
    files,
    source,
    origin: origins.find((folder) => folder === basename(dirname(source))) ?? ""
  }
}

const textFiles = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".txt"))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

/** All cases of the `.txt` files in a folder and below. */
export const readCorpus = (folder: string): ReadonlyArray<Case> =>
  textFiles(folder).flatMap((path) =>
    `\n${readFileSync(path, "utf8")}`
      .split("\n=== ")
      .slice(1)
      .map((part) => caseOf(part, path))
  )
