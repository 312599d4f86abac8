import type { SecretSpan } from "./knownTokens.ts"
import { knownTokens, privateKeys } from "./knownTokens.ts"
import { presetSecrets } from "./presetSecrets.ts"
import { mayHoldSecret } from "./secretMarks.ts"

/** The number of characters of a text that are searched. Evidence shows at most 200 of them. */
const longestRead = 4_000
/** The text is shown up to here if it is longer than what is read, so that a secret at the end is read whole. */
const longestShown = 2_000

const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 43 ||
  code === 47 ||
  code === 45 ||
  code === 95

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

/** Words with these prefixes are always masked. */
const tokenStarts = [
  "AKIA",
  "ASIA",
  "ABIA",
  "ACCA",
  "AIza",
  "ghp_",
  "gho_",
  "ghu_",
  "ghs_",
  "ghr_",
  "github_pat_",
  "glpat-",
  "xoxb-",
  "xoxp-",
  "xoxa-",
  "xoxs-",
  "xapp-",
  "sk-ant-",
  "sk-proj-",
  "sk-",
  "sk_live_",
  "rk_live_",
  "npm_",
  "hf_",
  "ntn_",
  "amk_",
  "shpat_",
  "shpca_",
  "shppa_",
  "shpss_",
  "lin_api_",
  "figd_",
  "dckr_pat_",
  "dop_v1_",
  "glsa_",
  "vercel_blob_rw_",
  "tskey-",
  "dapi"
]

/** Where the secret part of a word starts: behind the start of a token, or after four characters. -1 if the word is no secret. */
const secretFrom = (word: string): number => {
  if (word.length < 12) return -1
  for (const start of tokenStarts) {
    const at = word.indexOf(start)
    if (at < 0 || word.length - at - start.length < 8) continue
    if (at === 0 || "/-_+".includes(word.charAt(at - 1))) return at + start.length
  }
  return isSecretWord(word) ? 4 : -1
}

const words = (text: string, spans: Array<SecretSpan>): void => {
  let from = 0
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && isWordCode(text.charCodeAt(i))) continue
    const shown = i - from < 12 ? -1 : secretFrom(text.slice(from, i))
    if (shown >= 0) spans.push({ start: from, end: i, kind: "word", shown })
    from = i + 1
  }
}

const endsUrl = new Set([" ", "\t", "\n", '"', "'", "`", "<", ">", ")", "]", "}", "|"])
/** Longer user names and passwords in URLs are not searched for. */
const longestUserinfo = 400

/** The passwords of URLs: `https://name:password@host`. */
const passwords = (text: string, spans: Array<SecretSpan>): void => {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    const start = at + 3
    let colon = -1
    let sign = -1
    for (let i = start; i < text.length && i < start + longestUserinfo && !endsUrl.has(text.charAt(i)); i++) {
      if (text[i] === ":" && colon < 0) colon = i
      if (text[i] === "@" && colon >= 0) sign = i
    }
    if (sign > 0 && !isPort(text.slice(colon + 1, sign)))
      spans.push({ start: colon + 1, end: sign, kind: "password", shown: 0 })
  }
}

/** `https://host:8080/@scope/name` has a port and no password. */
const isPort = (text: string): boolean => {
  const slash = text.indexOf("/")
  return slash > 0 && slash < 6 && !Number.isNaN(Number(text.slice(0, slash)))
}

const hooks = ["hooks.slack.com/services/", "/api/webhooks/", "hooks.slack.com/workflows/"]

/** The address of a webhook is a secret: it is enough to post to it. */
const webhooks = (text: string, spans: Array<SecretSpan>): void => {
  for (const hook of hooks) {
    for (let at = text.indexOf(hook); at >= 0; at = text.indexOf(hook, at + hook.length)) {
      let end = at + hook.length
      while (end < text.length && isWordCode(text.charCodeAt(end))) end++
      if (end - at - hook.length >= 16) spans.push({ start: at, end, kind: "webhook", shown: hook.length })
    }
  }
}

const names = ["token", "secret", "password", "passwd", "api_key", "apikey", "access_key", "private_key"]
const endsValue = new Set([" ", "\t", "\n", '"', "'", "`", ";", ","])

/** Masks the value at the offset if it may be a secret. */
const value = (text: string, start: number, least: number, spans: Array<SecretSpan>): void => {
  let end = start
  while (end < text.length && end - start < 500 && !endsValue.has(text.charAt(end))) end++
  if (end - start >= least && isMixed(text.slice(start, end))) spans.push({ start, end, kind: "setting", shown: 0 })
}

/** The values of settings whose names say that they are secret: `API_TOKEN=…`, `"password": "…"`. */
const settings = (text: string, spans: Array<SecretSpan>): void => {
  const lower = text.toLowerCase()
  for (const name of names) {
    for (let at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, at + name.length)) {
      let start = at + name.length
      if (text[start] === '"' || text[start] === "'") start++
      while (text[start] === " ") start++
      if (text[start] !== "=" && text[start] !== ":") continue
      start++
      while (text[start] === " " || text[start] === '"' || text[start] === "'") start++
      value(text, start, 8, spans)
    }
  }
}

/** The credentials of requests: `Authorization: Bearer …`, `curl -u name:…`. */
const credentials = (text: string, spans: Array<SecretSpan>): void => {
  const lower = text.toLowerCase()
  for (let at = lower.indexOf("bearer "); at >= 0; at = lower.indexOf("bearer ", at + 7)) value(text, at + 7, 16, spans)
  for (const flag of [" -u ", " --user "]) {
    for (let at = lower.indexOf(flag); at >= 0; at = lower.indexOf(flag, at + flag.length)) {
      const colon = text.indexOf(":", at + flag.length)
      if (colon >= 0 && colon - at < 200 && !/\s/.test(text.slice(at + flag.length, colon)))
        value(text, colon + 1, 8, spans)
    }
  }
}

/** Two kinds of characters at least, and no path, call, variable or placeholder. */
const isMixed = (text: string): boolean => {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9_./-]/].filter((kind) => kind.test(text)).length
  return kinds >= 2 && !/^[$<{([*]|^\w+(?:[.:]\w+)+$|[/(]/.test(text)
}

/** The offset where masking starts; the rest of a span becomes `****`. */
const shownOf = (text: string, { shown, start }: SecretSpan): number => {
  if (shown > 0) return start + shown
  const mark = tokenStarts.find((one) => text.startsWith(one, start))
  if (mark !== undefined) return start + mark.length
  const scheme = text.indexOf("://", start)
  return scheme >= 0 && scheme - start < 16 ? scheme + 3 : start
}

/** Overlapping spans are masked together. */
const withoutSpans = (text: string, spans: ReadonlyArray<SecretSpan>, end: number): string => {
  const hidden = spans
    .map((span) => ({ start: shownOf(text, span), end: span.end }))
    .toSorted((a, b) => a.start - b.start)
  let result = ""
  let from = 0
  for (const span of hidden) {
    if (span.start >= end) break
    if (span.start >= span.end || span.end <= from) continue
    if (span.start >= from) result += `${text.slice(from, span.start)}****`
    from = span.end
  }
  return from >= end ? result : result + text.slice(from, end)
}

/**
 * The texts with `****` in place of their secrets: those that the preset of secretlint finds, tokens with a form of their own, passwords of
 * URLs, addresses of webhooks, private keys, values of secret settings, credentials of requests, and words that look like keys. Long texts are cut.
 */
export const maskSecrets = async (texts: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const read = texts.map((text) => text.slice(0, longestRead))
  const preset = await presetSecrets(read.map((text) => (mayHoldSecret(text) ? text : "")))
  return read.map((text, index) => {
    const spans: Array<SecretSpan> = [...(preset[index] ?? []), ...knownTokens(text)]
    privateKeys(text, spans)
    passwords(text, spans)
    webhooks(text, spans)
    settings(text, spans)
    credentials(text, spans)
    words(text, spans)
    return withoutSpans(text, spans, text.length < longestRead ? text.length : longestShown)
  })
}
