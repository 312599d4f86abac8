import { knownTokens, privateKeys } from "./knownTokens.ts"
import type { SecretSpan } from "./knownTokens.ts"
import { presetSecrets } from "./presetSecrets.ts"
import { mayHoldSecret } from "./secretMarks.ts"
import type { Document } from "../text/readDocument.ts"
import type { Finding } from "../Verdict.ts"

const piece = 2_000
/** At most this many pieces are looked at in one release. */
const mostPieces = 400

const messages = { secret: "A secret was left in the release. Revoke it, remove it, and read it from a setting." }

/** A run of letters and digits as keys have them, for what the preset does not know: a private key in hexadecimal next to that name. */
const isHexKey = (line: string): boolean => {
  const lower = line.toLowerCase()
  if (!lower.includes("private") && !lower.includes("secret") && !lower.includes("signing")) return false
  for (let from = 0, run = 0; from <= lower.length; from++) {
    const code = lower.charCodeAt(from)
    const hex = (code >= 48 && code <= 57) || (code >= 97 && code <= 102)
    if (hex) run++
    else {
      if (run === 64 && !isUniform(lower.slice(from - 64, from))) return true
      run = 0
    }
  }
  return false
}

/** `0000…` and `1234…1234…` are placeholders. */
const isUniform = (text: string): boolean => new Set(text).size < 8

const placeholders = [
  "xxxx",
  "your",
  "example",
  "placeholder",
  "<",
  "changeme",
  "...",
  "dummy",
  "redacted",
  "fake",
  "****",
  "1234567890",
  "abcdef",
  "user:pass",
  "username:password",
  "user:password",
  "secret@localhost",
  "postgres:postgres@",
  "${",
  "$(",
  "{{",
  "password@",
  "pass@",
  "000000",
  "localhost",
  "127.0.0.1"
]

const looksLikePlaceholder = (line: string): boolean => {
  const lower = line.toLowerCase()
  return placeholders.some((word) => lower.includes(word))
}

interface Piece {
  readonly path: string
  readonly line: number
  readonly text: string
}

const piecesOf = (document: Document): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  document.lines.forEach((line, index) => {
    if (!mayHoldSecret(line)) return
    // A key in PEM form spans lines.
    const text = line.includes("-----BEGIN")
      ? document.lines
          .slice(index, index + 60)
          .join("\n")
          .slice(0, piece)
      : line
    for (let from = 0; from < text.length && from < piece * 20; from += piece - 200)
      pieces.push({ path: document.path, line: index + 1, text: text.slice(from, from + piece) })
  })
  return pieces
}

/** `near` is the text that tells whether the secret is a placeholder. */
const found = (path: string, line: number, evidence: string, rule: string, near = evidence): Finding => ({
  rule: "SKILL-SECRET-001",
  level: looksLikePlaceholder(near) ? "notice" : "warn",
  family: "secrets",
  file: path,
  line,
  evidence,
  message: `${messages.secret} (${rule})`,
  owasp: "AST04"
})

/** The most lines of a key in PEM form that are read. */
const keyLines = 80

/** The lines of a private key that starts on the line; none if it is only a label. */
const privateKeyAt = (lines: ReadonlyArray<string>, index: number): number => {
  const text = lines
    .slice(index, index + keyLines)
    .join("\n")
    .slice(0, 20_000)
  const spans: Array<SecretSpan> = []
  privateKeys(text, spans, (lines[index] ?? "").length)
  const [first] = spans
  return first === undefined ? 0 : text.slice(0, first.end).split("\n").length
}

/** The secrets that have a form of their own, by file and line. */
const ownSecrets = ({ lines, path }: Document): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  let keyEnd = 0
  lines.forEach((line, index) => {
    if (line.length >= 24) {
      for (const { kind } of knownTokens(line)) {
        findings.push({ ...found(path, index + 1, line, kind), level: "warn" })
      }
      if (line.length >= 64 && isHexKey(line))
        findings.push(found(path, index + 1, line, "private key", line.slice(0, 300)))
    }
    if (index < keyEnd || !line.includes("-----BEGIN")) return
    const length = privateKeyAt(lines, index)
    if (length === 0) return
    keyEnd = index + length
    findings.push({ ...found(path, index + 1, line, "private key"), level: "warn" })
  })
  return findings
}

/** Secrets that were left in, found by secretlint's recommended preset and by their form (SCAN-10). */
export const secretsLeftIn = async (documents: ReadonlyArray<Document>): Promise<ReadonlyArray<Finding>> => {
  const findings: Array<Finding> = []
  const pieces = documents.flatMap(piecesOf).slice(0, mostPieces)
  const secrets = await presetSecrets(pieces.map(({ text }) => text))
  pieces.forEach(({ path, line, text }, index) => {
    for (const { kind, start } of secrets[index] ?? []) {
      const before = text.slice(0, start).split("\n").length - 1
      const evidence = text.split("\n")[before] ?? text
      findings.push(found(path, line + before, evidence, kind, evidence.slice(0, 300)))
    }
  })
  return [...findings, ...documents.flatMap(ownSecrets)]
}
