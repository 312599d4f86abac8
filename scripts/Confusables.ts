import { createHash } from "node:crypto"

/** The table of Unicode TS 39 as the market compiles it in. */
export interface ConfusablesTable {
  readonly version: string
  readonly sha256: string
  readonly lines: ReadonlyArray<string>
}

const characters = (codes: string): string =>
  codes
    .trim()
    .split(/\s+/)
    .map((code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .join("")

/** The code points of a text, in base 36 and joined by `+`. */
const codesOf = (text: string): string => Array.from(text, (each) => (each.codePointAt(0) ?? 0).toString(36)).join("+")

/** The sources of a prototype in ascending order, each as the difference from the one before, in base 36. */
const differences = (sources: ReadonlyArray<number>): string =>
  sources
    .toSorted((a, b) => a - b)
    .map((code, i, all) => (code - (all[i - 1] ?? 0)).toString(36))
    .join(" ")

const maxLine = 1000

/** Reads Unicode's `confusables.txt`. Characters that normalization decomposes are left out: a skeleton never looks them up. */
export const confusablesTable = (source: string): ConfusablesTable => {
  const groups = new Map<string, Array<number>>()
  for (const line of source.split("\n")) {
    const [from, to] = line.replace(/#.*/, "").split(";")
    if (from === undefined || to === undefined) continue
    const character = characters(from)
    if (character.normalize("NFD") !== character) continue
    const prototype = characters(to)
    groups.set(prototype, [...(groups.get(prototype) ?? []), character.codePointAt(0) ?? 0])
  }
  const lines = [""]
  for (const [prototype, sources] of groups) {
    const group = `${codesOf(prototype)}=${differences(sources)},`
    const last = lines.length - 1
    if ((lines[last] ?? "").length + group.length > maxLine) lines.push(group)
    else lines[last] = (lines[last] ?? "") + group
  }
  return {
    version: /^# Version: (\S+)/m.exec(source)?.[1] ?? "unknown",
    sha256: createHash("sha256").update(source).digest("hex"),
    lines
  }
}

/** The text of `packages/core/src/names/confusables.ts`. */
export const confusablesSource = ({ lines, sha256, version }: ConfusablesTable): string => `/**
 * Unicode ${version}, \`confusables.txt\` (SHA-256 ${sha256}),
 * © Unicode, Inc., https://www.unicode.org/terms_of_use.html. Made by \`npm run confusables\`; do not edit.
 *
 * Groups end in a comma: the code points of a prototype, an equals sign, and the characters that look like it, each as the
 * difference from the one before. All numbers have base 36.
 */
export const confusables = [
${lines.map((line) => `  ${JSON.stringify(line)}`).join(",\n")}
].join("")
`
