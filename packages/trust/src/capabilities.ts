import type { ScannedFile } from "./checks/fileChecks.ts"
import { readFile } from "./checks/fileChecks.ts"
import { isNegated } from "./rules/judgeContext.ts"
import { conceptIndex } from "./signals/concepts.ts"
import { hostKind } from "./signals/hosts.ts"
import { signalsOf } from "./signals/readSignals.ts"
import { urlsIn } from "./signals/urlSignals.ts"
import type { Document } from "./text/readDocument.ts"
import type { Statement } from "./text/Statement.ts"
import { readDocument } from "./text/readDocument.ts"
import { wellFormed } from "./text/wellFormed.ts"

/** What a release may need. Each list is sorted and without repetition. */
export interface CapabilitySet {
  /** Tools of the agent, as in `allowed-tools`. */
  readonly tools: ReadonlyArray<string>
  readonly hosts: ReadonlyArray<string>
  readonly commands: ReadonlyArray<string>
  /** Files and folders outside of the release. */
  readonly paths: ReadonlyArray<string>
  /** Names of environment variables. */
  readonly environment: ReadonlyArray<string>
}

export interface Capabilities {
  readonly declared: CapabilitySet
  readonly used: CapabilitySet
}

/** The maximum number of entries of a list; further entries are omitted. */
const mostEntries = 100
const sorted = (entries: Iterable<string>): ReadonlyArray<string> =>
  [...new Set(entries)]
    .filter((entry) => entry !== "")
    .toSorted()
    .slice(0, mostEntries)

const frontLines = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (lines[0]?.trim() !== "---") return []
  const close = lines.findIndex((line, index) => index > 0 && line.trim() === "---")
  return close > 0 ? lines.slice(1, close) : []
}

/** Splits `Bash(git:*), Read Write` at commas and spaces outside of parentheses. */
const splitList = (text: string): ReadonlyArray<string> => {
  const entries: Array<string> = []
  let depth = 0
  let entry = ""
  for (const char of `${text} `) {
    if (char === "(") depth++
    if (char === ")") depth--
    if (depth <= 0 && (char === "," || char === " " || char === "[" || char === "]")) {
      entries.push(unquoted(entry))
      entry = ""
    } else entry += char
  }
  return entries.filter((value) => value !== "")
}

const unquoted = (text: string): string => {
  const trimmed = text.trim()
  return trimmed.length > 1 && (trimmed[0] === '"' || trimmed[0] === "'") && trimmed.at(-1) === trimmed[0]
    ? trimmed.slice(1, -1)
    : trimmed
}

const keys: Readonly<Record<string, keyof CapabilitySet>> = {
  "allowed-tools": "tools",
  tools: "tools",
  hosts: "hosts",
  network: "hosts",
  domains: "hosts",
  commands: "commands",
  bins: "commands",
  anybins: "commands",
  paths: "paths",
  files: "paths",
  environment: "environment",
  env: "environment",
  primaryenv: "environment"
}

/** The lists of the front matter, also those below `metadata`: `key: a, b`, `key: [a, b]`, or a list of lines. */
const declaredIn = (lines: ReadonlyArray<string>): CapabilitySet => {
  const found: Record<keyof CapabilitySet, Array<string>> = {
    tools: [],
    hosts: [],
    commands: [],
    paths: [],
    environment: []
  }
  let key: keyof CapabilitySet | undefined
  for (const line of lines) {
    const trimmed = line.trim()
    if (trimmed.startsWith("- ")) {
      if (key !== undefined) found[key].push(unquoted(trimmed.slice(2)))
      continue
    }
    const colon = trimmed.indexOf(":")
    if (colon < 0) continue
    key = keys[unquoted(trimmed.slice(0, colon)).toLowerCase()]
    if (key !== undefined) found[key].push(...splitList(trimmed.slice(colon + 1)))
  }
  return {
    tools: sorted(found.tools),
    hosts: sorted(found.hosts.map((host) => host.toLowerCase())),
    commands: sorted(found.commands),
    paths: sorted(found.paths),
    environment: sorted(found.environment)
  }
}

const programs = new Set(
  "curl wget ssh scp rsync git gh docker kubectl helm terraform aws gcloud az npm npx pnpm yarn bun deno node python python3 pip pip3 uv uvx cargo go ruby gem make sudo crontab launchctl systemctl osascript psql mysql redis-cli sqlite3 ffmpeg openssl gpg jq nc chmod rm tar unzip brew apt apt-get powershell pwsh security bash sh zsh".split(
    " "
  )
)

const isNameCode = (code: number) => (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95

/** Names of environment variables that code reads: `$NAME`, `${NAME}`, `process.env.NAME`, `os.environ["NAME"]`, `os.getenv("NAME")`. */
const environmentIn = (line: string, add: (name: string) => void): void => {
  for (const opening of [
    "$",
    "${",
    "process.env.",
    'process.env["',
    "process.env['",
    'environ["',
    "environ['",
    'environ.get("',
    "environ.get('",
    'getenv("',
    "getenv('",
    "$env:",
    'ENV["',
    'Deno.env.get("'
  ]) {
    for (let at = line.indexOf(opening); at >= 0; at = line.indexOf(opening, at + opening.length)) {
      const start = at + opening.length
      let end = start
      while (end < line.length && isNameCode(line.charCodeAt(end))) end++
      if (
        end - start > 2 &&
        end - start < 60 &&
        line.slice(start, end).toUpperCase() === line.slice(start, end) &&
        !isDigit(line.charAt(start))
      )
        add(line.slice(start, end))
    }
  }
}
const isDigit = (char: string) => char >= "0" && char <= "9"

const pathsIn = (line: string, add: (path: string) => void): void => {
  for (const opening of ["~/", "$HOME/", "/etc/", "/var/", "/usr/", "/opt/", "/tmp/", "/Library/"]) {
    const at = line.indexOf(opening)
    if (
      at < 0 ||
      (at > 0 && (isWord(line.charAt(at - 1)) || line[at - 1] === "/" || line[at - 1] === ":" || line[at - 1] === "."))
    )
      continue
    let end = at + opening.length
    while (end < line.length && (isWord(line.charAt(end)) || "./-_".includes(line.charAt(end)))) end++
    if (end - at < 200) add(line.slice(at, end))
  }
}
const isWord = (char: string) => (char >= "a" && char <= "z") || (char >= "A" && char <= "Z") || isDigit(char)

const programOf = (line: string): string | undefined => {
  const first = line.split(" ", 3).find((word) => word !== "$" && word !== "sudo")
  return first !== undefined && programs.has(first) ? first : undefined
}

/** The commands that a sentence names between backticks: "Run `curl https://…`". A program without arguments is only mentioned. */
const quotedCommands = (text: string): ReadonlyArray<string> =>
  text.split("`").filter((part, i) => i % 2 === 1 && part.includes(" ") && programOf(part) !== undefined)

const contacts = (["send", "fetchText", "download", "fetcher", "netOut"] as const).map(conceptIndex)

/** Whether a sentence tells to send to an address or to fetch from it. A link to read is no use of a host, nor is a forbidden one. */
const isContacted = (statement: Statement): boolean => {
  const signals = { statement, ...signalsOf(statement), described: false, forbidden: false }
  return signals.hits.some(({ concept, start, end }) => contacts.includes(concept) && !isNegated(signals, start, end))
}

const usedIn = (documents: ReadonlyArray<Document>): CapabilitySet => {
  const hosts = new Set<string>()
  const commands = new Set<string>()
  const paths = new Set<string>()
  const environment = new Set<string>()
  for (const { lines, statements } of documents) {
    for (const statement of statements) {
      const { text, context } = statement
      if (context !== "code" && context !== "script" && context !== "prose") continue
      const prose = context === "prose"
      const commandLines = prose ? quotedCommands(text) : [text]
      for (const line of commandLines) {
        const program = programOf(line)
        if (program !== undefined) commands.add(program)
      }
      const used = !prose || (text.includes("://") && (commandLines.length > 0 || isContacted(statement)))
      for (const { host, path } of used ? urlsIn(text) : [])
        if (!["local", "variable"].includes(hostKind(host, path))) hosts.add(host)
    }
    for (const line of lines) {
      if (line.includes("$") || line.includes("env"))
        environmentIn(line.slice(0, 4_000), (name) => environment.add(name))
      if (line.includes("/")) pathsIn(line.slice(0, 4_000), (path) => paths.add(path))
    }
  }
  return {
    tools: [],
    hosts: sorted(hosts),
    commands: sorted(commands),
    paths: sorted(paths),
    environment: sorted(environment)
  }
}

const wellFormedSet = ({ commands, environment, hosts, paths, tools }: CapabilitySet): CapabilitySet => ({
  tools: tools.map(wellFormed),
  hosts: hosts.map(wellFormed),
  commands: commands.map(wellFormed),
  paths: paths.map(wellFormed),
  environment: environment.map(wellFormed)
})

/** What the documents of a release declare and use, as well-formed texts (SCAN-3). */
export const capabilitiesIn = (documents: ReadonlyArray<Document>): Capabilities => {
  const main = documents.find(({ path }) => path === "SKILL.md" || path === "SOUL.md")
  return {
    declared: wellFormedSet(declaredIn(frontLines(main?.lines ?? []))),
    used: wellFormedSet(usedIn(documents))
  }
}

/** What a release says that it needs, and what its files use (SCAN-11). */
export const capabilities = (files: ReadonlyArray<ScannedFile>): Capabilities =>
  capabilitiesIn(
    files.flatMap((file) => {
      const { text } = readFile(file)
      return text === undefined ? [] : [readDocument(file.path, text)]
    })
  )
