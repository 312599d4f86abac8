import { lintSource } from "@secretlint/core"
import { creator } from "@secretlint/secretlint-rule-preset-recommend"
import { AhoCorasick } from "../signals/AhoCorasick.ts"
import type { Document } from "../text/readDocument.ts"
import type { Finding } from "../Verdict.ts"

/**
 * Starts of the secrets that the preset knows. Only lines near one of them are given to it, because its patterns are too slow for whole
 * releases and may backtrack; every piece is bounded.
 */
const marks = [
  "AKIA",
  "ASIA",
  "ABIA",
  "ACCA",
  "aws_",
  "AWS_",
  "ghp_",
  "gho_",
  "ghu_",
  "ghs_",
  "ghr_",
  "github_pat_",
  "glpat-",
  "gl",
  "xox",
  "xapp-",
  "hooks.slack.com/services/",
  "sk-",
  "sk_live",
  "rk_live",
  "sk_test",
  "npm_",
  "_authToken",
  "-----BEGIN",
  "SG.",
  "shpat_",
  "shpca_",
  "shppa_",
  "shpss_",
  "private_key",
  "lin_api_",
  "hf_",
  "gsk_",
  "figd_",
  "figu_",
  "secret_",
  "ntn_",
  "hvs.",
  "hvb.",
  "tskey-",
  "vercel_",
  "vcp_",
  "glsa_",
  "glc_",
  "dapi",
  "dckr_",
  "dop_v1_",
  "CLOUDFLARE",
  "cloudflare",
  "mongodb",
  "mysql://",
  "postgres",
  "redis://",
  "AIza",
  "ya29.",
  "sk-ant-",
  "xprv",
  "ops_ey",
  "dp.pt.",
  "LTAI"
]

const piece = 2_000
/** At most this many pieces are looked at in one release. */
const mostPieces = 400

const messages = { secret: "A secret was left in the release. Revoke it, remove it, and read it from a setting." }

const searchMarks = new AhoCorasick(marks.filter((mark) => mark.length > 2))

const isMarked = (line: string): boolean => {
  if (line.length < 16) return false
  let found = false
  searchMarks.search(line, () => {
    found = true
  })
  if (found) return true
  return line.includes("://") && line.includes("@")
}

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
    if (!isMarked(line)) return
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

const found = (path: string, line: number, evidence: string, rule: string): Finding => ({
  rule: "SKILL-SECRET-001",
  level: looksLikePlaceholder(evidence) ? "notice" : "warn",
  family: "secrets",
  file: path,
  line,
  evidence: masked(evidence),
  message: `${messages.secret} (${rule})`,
  owasp: "AST04"
})

const isSecretCode = (code: number) =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 43 ||
  code === 47 ||
  code === 45 ||
  code === 95

/** Keeps the first four characters of long runs of letters and digits. */
export const masked = (text: string): string => {
  let result = ""
  let from = 0
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && isSecretCode(text.charCodeAt(i))) continue
    const word = text.slice(from, i)
    result += isSecretWord(word) ? `${word.slice(0, 4)}****` : word
    result += text[i] ?? ""
    from = i + 1
  }
  return result
}

/** 20 characters or more with digits and both cases or many digits: a key, not a word or a path. */
const isSecretWord = (word: string): boolean => {
  if (word.length < 20) return false
  let digits = 0
  let upper = 0
  let lower = 0
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i)
    if (code >= 48 && code <= 57) digits++
    else if (code >= 65 && code <= 90) upper++
    else if (code >= 97 && code <= 122) lower++
  }
  return digits > 2 && ((upper > 0 && lower > 0) || digits * 5 > word.length)
}

const config = { rules: [{ id: creator.meta.id, rule: creator, options: {} }] }

/** Secrets that were left in, found by secretlint's recommended preset (SCAN-10). */
export const secretsLeftIn = async (documents: ReadonlyArray<Document>): Promise<ReadonlyArray<Finding>> => {
  const findings: Array<Finding> = []
  const pieces = documents.flatMap(piecesOf).slice(0, mostPieces)
  // All pieces of a release are one text: a run of the preset costs more than its length.
  let content = ""
  const starts = pieces.map(({ text }) => {
    const start = content.length
    content += `${text}\n\n`
    return start
  })
  if (content !== "") {
    const result = await lintSource({
      source: { filePath: "release.txt", content, ext: ".txt", contentType: "text" },
      options: { config, noPhysicFilePath: true, maskSecrets: true }
    })
    for (const { range, ruleId } of result.messages) {
      const index = starts.findLastIndex((start) => start <= range[0])
      const piece = pieces[index]
      if (piece === undefined) continue
      const { path, line, text } = piece
      const offset = range[0] - (starts[index] ?? 0)
      const before = text.slice(0, offset).split("\n").length - 1
      const evidence = text.split("\n")[before] ?? text
      findings.push(
        found(path, line + before, evidence.slice(0, 300), ruleId.replace("@secretlint/secretlint-rule-", ""))
      )
    }
  }
  for (const { path, lines } of documents) {
    lines.forEach((line, index) => {
      if (line.length >= 64 && isHexKey(line)) findings.push(found(path, index + 1, line.slice(0, 300), "private key"))
    })
  }
  return findings
}
