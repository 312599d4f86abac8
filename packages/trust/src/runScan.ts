import { parseArgs } from "node:util"
import { capabilities } from "./capabilities.ts"
import { FolderRefused, readFolder } from "./readFolder.ts"
import { toSarif } from "./sarif.ts"
import { scan } from "./scan.ts"
import type { Level, Verdict } from "./Verdict.ts"
import { compareLevels, levels } from "./Verdict.ts"

const usage = `Usage: trust scan <folder or file> [options]

Scans a skill or a SOUL and prints what it found.

  --format text|json|sarif  text by default
  --kind skill|soul         soul by default if there is a SOUL.md and no SKILL.md
  --fail-on notice|warn|block
                            exit code 1 from this level on; warn by default

Exit codes: 0 below the level, 1 from the level on, 2 for wrong arguments or files that cannot be read.
`

/** What the command prints and its exit code. */
export interface Outcome {
  readonly code: 0 | 1 | 2
  readonly output: string
  readonly error: string
}

const wrong = (error: string): Outcome => ({ code: 2, output: "", error: `${error}\n` })

const textOf = (verdict: Verdict): string => {
  const lines = verdict.findings.flatMap(({ level, rule, file, line, message, evidence, owasp }) => [
    `${level.padEnd(6)} ${rule}  ${file}${line > 0 ? `:${line}` : ""}  (${owasp})`,
    `       ${message}`,
    ...(evidence === "" ? [] : [`       > ${printable(evidence)}`])
  ])
  return [...lines, `${verdict.level}: ${verdict.findings.length} findings, ruleset ${verdict.ruleset}`, ""].join("\n")
}

/** Evidence is foreign text: control characters would reach the terminal. */
const printable = (text: string): string => {
  let result = ""
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    result +=
      code < 32 ||
      (code >= 127 && code < 160) ||
      (code >= 0x200b && code <= 0x200f) ||
      (code >= 0x202a && code <= 0x202e) ||
      (code >= 0x2066 && code <= 0x2069)
        ? "�"
        : char
  }
  return result
}

const optionsOf = (args: ReadonlyArray<string>) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        format: { type: "string", default: "text" },
        kind: { type: "string" },
        "fail-on": { type: "string", default: "warn" },
        help: { type: "boolean", short: "h", default: false }
      }
    })
  } catch (error) {
    return String(error instanceof Error ? error.message : error)
  }
}

/** `trust scan …` (SCAN-15). */
export const runScan = async (args: ReadonlyArray<string>): Promise<Outcome> => {
  const options = optionsOf(args)
  if (typeof options === "string") return wrong(`${options}\n\n${usage}`)
  const { positionals, values } = options
  if (values.help) return { code: 0, output: usage, error: "" }
  const [command, path, ...more] = positionals
  if (command !== "scan" || path === undefined || more.length > 0) return wrong(usage)
  const { format, kind, "fail-on": failOn } = values
  if (format !== "text" && format !== "json" && format !== "sarif")
    return wrong(`--format: "${format}" is none of text, json, sarif`)
  if (kind !== undefined && kind !== "skill" && kind !== "soul")
    return wrong(`--kind: "${kind}" is none of skill, soul`)
  if (failOn === "clean" || !levels.includes(failOn as Level))
    return wrong(`--fail-on: "${failOn}" is none of notice, warn, block`)
  return scanPath(path, format, kind, failOn as Level)
}

const scanPath = async (
  path: string,
  format: "text" | "json" | "sarif",
  kind: "skill" | "soul" | undefined,
  failOn: Level
): Promise<Outcome> => {
  const files = filesOf(path)
  if (typeof files === "string") return wrong(files)
  const names = new Set(files.map((file) => file.path))
  const verdict = await scan(files, {
    kind: kind ?? (names.has("SOUL.md") && !names.has("SKILL.md") ? "soul" : "skill")
  })
  const code = compareLevels(verdict.level, failOn) >= 0 ? 1 : 0
  if (format === "text") return { code, output: textOf(verdict), error: "" }
  const body = format === "sarif" ? toSarif(verdict) : { ...verdict, capabilities: capabilities(files) }
  return { code, output: `${JSON.stringify(body, null, 2)}\n`, error: "" }
}

const filesOf = (path: string) => {
  try {
    return readFolder(path)
  } catch (error) {
    if (error instanceof FolderRefused) return error.message
    return `${path}: ${error instanceof Error ? error.message : String(error)}`
  }
}
