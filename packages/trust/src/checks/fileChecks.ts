import { languageOf, isData } from "../text/readDocument.ts"
import type { Finding, Level } from "../Verdict.ts"

/** A file of a release. */
export interface ScannedFile {
  /** Relative to the release, with `/` between folders. */
  readonly path: string
  readonly bytes: Uint8Array
}

interface FileRule {
  readonly id: string
  readonly level: Exclude<Level, "clean">
  readonly owasp: string
  readonly message: string
}

export const fileRules = {
  program: {
    id: "SKILL-FILE-001",
    level: "warn",
    owasp: "AST02",
    message: "A compiled program cannot be reviewed. Ship its source, or name a package that contains it."
  },
  nested: {
    id: "SKILL-FILE-002",
    level: "warn",
    owasp: "AST08",
    message: "An archive inside the release is not scanned. Ship its files themselves."
  },
  encrypted: {
    id: "SKILL-FILE-003",
    level: "block",
    owasp: "AST08",
    message: "An encrypted archive cannot be scanned. Ship its files themselves."
  },
  disguised: {
    id: "SKILL-FILE-004",
    level: "block",
    owasp: "AST04",
    message: "The file is a program and its name says otherwise. Remove it."
  },
  encoding: {
    id: "SKILL-FILE-005",
    level: "notice",
    owasp: "AST08",
    message: "The text is not valid UTF-8. Save it as UTF-8."
  },
  longLine: {
    id: "SKILL-FILE-006",
    level: "notice",
    owasp: "AST08",
    message: "The script contains a very long line, as minified code has. Ship readable source."
  },
  bytecode: {
    id: "SKILL-FILE-007",
    level: "warn",
    owasp: "AST02",
    message: "Compiled bytecode cannot be reviewed. Ship its source."
  },
  binaryText: {
    id: "SKILL-FILE-008",
    level: "warn",
    owasp: "AST08",
    message: "A file whose name is that of a text contains binary data. Remove it or correct its name."
  }
} as const satisfies Record<string, FileRule>

const starts = (bytes: Uint8Array, ...prefix: ReadonlyArray<number>): boolean =>
  prefix.every((byte, i) => bytes[i] === byte)
const ascii = (text: string): ReadonlyArray<number> => [...text].map((char) => char.charCodeAt(0))

const isProgram = (bytes: Uint8Array): boolean =>
  starts(bytes, 0x7f, ...ascii("ELF")) ||
  (starts(bytes, ...ascii("MZ")) && bytes.length > 60) ||
  starts(bytes, 0xcf, 0xfa, 0xed, 0xfe) ||
  starts(bytes, 0xce, 0xfa, 0xed, 0xfe) ||
  starts(bytes, 0xfe, 0xed, 0xfa, 0xcf) ||
  starts(bytes, 0xca, 0xfe, 0xba, 0xbe) ||
  starts(bytes, 0x64, 0x65, 0x78, 0x0a)

const isArchive = (bytes: Uint8Array): boolean =>
  starts(bytes, 0x50, 0x4b, 3, 4) ||
  starts(bytes, 0x1f, 0x8b) ||
  starts(bytes, 0x37, 0x7a, 0xbc, 0xaf) ||
  starts(bytes, ...ascii("Rar!")) ||
  starts(bytes, 0xfd, ...ascii("7zXZ")) ||
  starts(bytes, ...ascii("BZh")) ||
  starts(bytes, ...ascii("MSCF")) ||
  starts(bytes, 0x28, 0xb5, 0x2f, 0xfd)

/** Office documents are zip archives, but contain no programs. */
const officeNames = [".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub", ".xltx", ".dotx", ".potx"]
const programNames = [
  ".exe",
  ".dll",
  ".so",
  ".dylib",
  ".node",
  ".bin",
  ".com",
  ".scr",
  ".msi",
  ".sys",
  ".o",
  ".a",
  ".class",
  ".wasm",
  ".elf"
]
const bytecodeNames = [".pyc", ".pyo", ".pyd", ".jar", ".beam", ".luac", ".lnk"]
const picture = [
  ".png",
  ".jpg",
  ".jpeg",
  ".gif",
  ".webp",
  ".pdf",
  ".txt",
  ".md",
  ".svg",
  ".json",
  ".mp3",
  ".mp4",
  ".ico",
  ".csv",
  ".yaml",
  ".yml",
  ".html",
  ".py",
  ".js",
  ".sh"
]

const endsWithAny = (name: string, ends: ReadonlyArray<string>) => ends.some((end) => name.endsWith(end))

/** `report.pdf.exe` */
const isDoubled = (name: string): boolean => {
  const dot = name.lastIndexOf(".")
  return (
    dot > 0 &&
    endsWithAny(name.slice(0, dot), picture) &&
    endsWithAny(name, [".exe", ".scr", ".bat", ".cmd", ".com", ".vbs", ".lnk", ".ps1", ".hta", ".msi"])
  )
}

export interface ReadFile {
  /** The text to scan; undefined for a binary file. */
  readonly text: string | undefined
  readonly findings: ReadonlyArray<Finding>
}

const finding = (rule: FileRule, file: string, line: number, evidence: string): Finding => ({
  rule: rule.id,
  level: rule.level,
  family: "files",
  file,
  line,
  evidence,
  message: rule.message,
  owasp: rule.owasp
})

const isTextName = (path: string): boolean => {
  const lower = path.toLowerCase()
  return lower.endsWith(".md") || lower.endsWith(".txt") || languageOf(path, "") !== "" || isData(path)
}

const binaryRule = ({ path, bytes }: ScannedFile): FileRule | undefined => {
  const lower = path.toLowerCase()
  if (isDoubled(lower)) return fileRules.disguised
  if (isProgram(bytes)) return endsWithAny(lower, picture) ? fileRules.disguised : fileRules.program
  if (endsWithAny(lower, bytecodeNames)) return fileRules.bytecode
  if (endsWithAny(lower, programNames)) return fileRules.program
  if (isArchive(bytes) && !endsWithAny(lower, officeNames)) {
    const encrypted = bytes[0] === 0x50 && ((bytes[6] ?? 0) & 1) === 1
    if (encrypted) return fileRules.encrypted
    return endsWithAny(lower, picture) ? fileRules.disguised : fileRules.nested
  }
  return undefined
}

const strict = new TextDecoder("utf-8", { fatal: true })
const tolerant = new TextDecoder("utf-8")

const decode = (bytes: Uint8Array): { readonly text: string; readonly valid: boolean } => {
  if (starts(bytes, 0xff, 0xfe)) return { text: new TextDecoder("utf-16le").decode(bytes), valid: false }
  if (starts(bytes, 0xfe, 0xff)) return { text: new TextDecoder("utf-16be").decode(bytes), valid: false }
  try {
    return { text: strict.decode(bytes), valid: true }
  } catch {
    return { text: tolerant.decode(bytes), valid: false }
  }
}

/** Longer lines in scripts are reported. Unit: UTF-16 code units. */
const longLine = 5_000

const longLineFinding = (path: string, text: string): ReadonlyArray<Finding> => {
  let line = 1
  for (let from = 0; from < text.length; line++) {
    const next = text.indexOf("\n", from)
    const end = next < 0 ? text.length : next
    if (end - from > longLine) return [finding(fileRules.longLine, path, line, text.slice(from, from + 80))]
    from = end + 1
  }
  return []
}

/** Decides whether a file is text, and returns the findings about its bytes and its name (SCAN-7). */
export const readFile = (file: ScannedFile): ReadFile => {
  const { path, bytes } = file
  const rule = binaryRule(file)
  if (rule !== undefined) return { text: undefined, findings: [finding(rule, path, 0, path)] }
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const zeros = wide ? -1 : bytes.subarray(0, 8192).indexOf(0)
  if (zeros >= 0) {
    if (!isTextName(path)) return { text: undefined, findings: [] }
    return { text: tolerant.decode(bytes), findings: [finding(fileRules.binaryText, path, 0, path)] }
  }
  const { text, valid } = decode(bytes)
  const named = isTextName(path)
  const encoding = valid || !named ? [] : [finding(fileRules.encoding, path, 0, path)]
  if (!valid && !wide && !named) return { text: undefined, findings: [] }
  const script = languageOf(path, text.slice(0, 80)) !== ""
  return { text, findings: script ? [...encoding, ...longLineFinding(path, text)] : encoding }
}
