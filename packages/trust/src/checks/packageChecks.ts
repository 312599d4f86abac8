import type { Document } from "../text/readDocument.ts"
import { signalsOf } from "../signals/readSignals.ts"
import { conceptIndex } from "../signals/concepts.ts"
import { has } from "../signals/conceptMask.ts"
import type { Finding } from "../Verdict.ts"

/** Names of packages with known malware, as `ecosystem:name` or `ecosystem:name@version`; the caller owns the database. */
export type KnownMalware = (ecosystem: "npm" | "pypi", name: string, version: string) => boolean

const hooks = ["preinstall", "install", "postinstall", "prepare", "prepublish", "preprepare", "postprepare"]

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parsed = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const lineOf = (document: Document, word: string): number =>
  document.lines.findIndex((line) => line.includes(`"${word}"`)) + 1

const finding = (
  rule: string,
  level: "notice" | "warn" | "block",
  family: "execution" | "dependencies",
  document: Document,
  line: number,
  evidence: string,
  message: string
): Finding => ({ rule, level, family, file: document.path, line, evidence, message, owasp: "AST02" })

const dangerous = (
  ["fetcher", "netOut", "evalCall", "decodeCall", "credentialFile", "hiddenRun", "toShell"] as const
).map(conceptIndex)

/** Commands that installing a package runs. */
const hookFindings = (document: Document, manifest: Record<string, unknown>): ReadonlyArray<Finding> => {
  const scripts = manifest["scripts"]
  if (!isRecord(scripts)) return []
  return hooks.flatMap((hook) => {
    const command = scripts[hook]
    if (typeof command !== "string" || harmless.has(command.split(" ", 1)[0] ?? "")) return []
    const { mask } = signalsOf({
      text: command.toLowerCase(),
      line: 1,
      breaks: [],
      context: "script",
      language: "shell",
      depth: 0,
      item: false,
      block: 0
    })
    const level = dangerous.some((concept) => has(mask, concept)) ? "block" : "warn"
    return [
      finding(
        "SKILL-EXEC-101",
        level,
        "execution",
        document,
        lineOf(document, hook),
        `${hook}: ${command}`,
        "Installing the package runs a command. Remove the install hook, and run the command where the user sees it."
      )
    ]
  })
}

const harmless = new Set([
  "husky",
  "tsc",
  "echo",
  "patch-package",
  "husky-install",
  "lefthook",
  "simple-git-hooks",
  "prisma",
  "is-ci",
  "npm"
])

const dependenciesOf = (manifest: Record<string, unknown>): ReadonlyArray<readonly [string, string]> =>
  ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"].flatMap((key) => {
    const group = manifest[key]
    return isRecord(group) ? Object.entries(group).map(([name, version]) => [name, String(version)] as const) : []
  })

const isForeign = (version: string) =>
  version.startsWith("http:") || version.startsWith("https:") || version.startsWith("git+http:")

const npmFindings = (document: Document, malware: KnownMalware | undefined): ReadonlyArray<Finding> => {
  const manifest = parsed(document.lines.join("\n"))
  if (manifest === undefined) return []
  const dependencies = dependenciesOf(manifest).flatMap(([name, version]) => {
    const line = lineOf(document, name)
    if (malware?.("npm", name, version) === true)
      return [
        finding(
          "SKILL-DEP-001",
          "block",
          "dependencies",
          document,
          line,
          `${name}@${version}`,
          "This package contains known malware. Remove it."
        )
      ]
    return isForeign(version)
      ? [
          finding(
            "SKILL-DEP-002",
            "warn",
            "dependencies",
            document,
            line,
            `${name}@${version}`,
            "The dependency comes from an address outside of the registry. Use the registry with a pinned version."
          )
        ]
      : []
  })
  return [...hookFindings(document, manifest), ...dependencies]
}

/** `requests==2.32.0  # remark` */
const requirementOf = (line: string): readonly [string, string] | undefined => {
  const text = (line.split("#", 1)[0] ?? "").trim()
  if (text === "" || text.startsWith("-")) return undefined
  let end = 0
  while (end < text.length && !" =<>!~;[@(".includes(text.charAt(end))) end++
  const equal = text.indexOf("==")
  return [text.slice(0, end).toLowerCase(), equal < 0 ? "" : (text.slice(equal + 2).split(";", 1)[0] ?? "").trim()]
}

const pypiFindings = (document: Document, malware: KnownMalware): ReadonlyArray<Finding> =>
  document.lines.flatMap((line, index) => {
    const requirement = requirementOf(line)
    return requirement !== undefined && malware("pypi", ...requirement)
      ? [
          finding(
            "SKILL-DEP-001",
            "block",
            "dependencies",
            document,
            index + 1,
            line.trim(),
            "This package contains known malware. Remove it."
          )
        ]
      : []
  })

/** Findings of manifests of packages (SCAN-12). */
export const packageChecks = (document: Document, malware: KnownMalware | undefined): ReadonlyArray<Finding> => {
  const name = document.path.slice(document.path.lastIndexOf("/") + 1)
  if (name === "package.json") return npmFindings(document, malware)
  if (name.startsWith("requirements") && name.endsWith(".txt") && malware !== undefined)
    return pypiFindings(document, malware)
  return []
}
