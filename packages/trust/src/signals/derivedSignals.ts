import type { Hits } from "./matchWords.ts"
import { conceptIndex } from "./concepts.ts"
import type { Concept } from "./concepts.ts"
import type { HostKind } from "./hosts.ts"
import { hostKind } from "./hosts.ts"

const add = (hits: Hits, concept: Concept, start: number, end: number): void =>
  void hits.push({ concept: conceptIndex(concept), start, end })

const urlStops = new Set([
  " ",
  '"',
  "'",
  "`",
  "<",
  ">",
  ")",
  "]",
  "|",
  "\\",
  ";",
  ",",
  "，",
  "。",
  "、",
  "）",
  "」",
  "“",
  "”"
])

export interface Url {
  readonly start: number
  readonly end: number
  readonly scheme: string
  readonly host: string
  readonly path: string
}

/** Bounds of one statement: URLs, and the length of each. */
const mostUrls = 40
const longestUrl = 400

/** The URLs of folded text, in one pass. */
export const urlsIn = (text: string): ReadonlyArray<Url> => {
  const urls: Array<Url> = []
  for (let at = text.indexOf("://"); at >= 0 && urls.length < mostUrls; at = text.indexOf("://", at + 3)) {
    let start = at
    while (start > 0 && at - start < 10 && text.charAt(start - 1) >= "a" && text.charAt(start - 1) <= "z") start--
    let end = at + 3
    while (end < text.length && end - at < longestUrl && !urlStops.has(text.charAt(end))) end++
    while (end > at + 3 && (text[end - 1] === "." || text[end - 1] === ":" || text[end - 1] === "*")) end--
    const rest = text.slice(at + 3, end)
    const slash = indexOfAny(rest, "/?#")
    const authority = rest.slice(0, slash)
    const bare = authority.slice(authority.lastIndexOf("@") + 1)
    const colon = bare.startsWith("[") ? bare.indexOf("]") + 1 : bare.indexOf(":")
    urls.push({
      start,
      end,
      scheme: text.slice(start, at),
      host: colon > 0 ? bare.slice(0, colon) : bare,
      path: rest.slice(slash)
    })
  }
  return urls
}

const indexOfAny = (text: string, chars: string): number => {
  for (let i = 0; i < text.length; i++) if (chars.includes(text.charAt(i))) return i
  return text.length
}

const kinds: Readonly<Record<HostKind, Concept | undefined>> = {
  installer: "urlInstaller",
  known: "urlKnown",
  unknown: "urlUnknown",
  ip: "urlIp",
  short: "urlShort",
  paste: "urlPaste",
  collector: "urlExfil",
  tunnel: "urlTunnel",
  hook: "urlHook",
  raw: "urlRaw",
  local: "urlLocal",
  onion: "onion",
  variable: undefined
}
const files = [
  ".exe",
  ".msi",
  ".dmg",
  ".pkg",
  ".zip",
  ".7z",
  ".rar",
  ".scr",
  ".bat",
  ".ps1",
  ".sh",
  ".vbs",
  ".appimage",
  ".deb",
  ".rpm",
  ".apk",
  ".jar",
  ".command",
  ".hta",
  ".iso",
  ".tgz",
  ".tar.gz",
  ".bin",
  ".run",
  ".py",
  ".js",
  ".dll",
  ".so",
  ".dylib",
  ".elf"
]
const webSchemes = new Set(["http", "https", "ftp", "ws", "wss", "hxxp", "hxxps", ""])

const urlSignals = (text: string, hits: Hits): void => {
  for (const { start, end, scheme, host, path } of urlsIn(text)) {
    if (!webSchemes.has(scheme)) continue
    const kind = hostKind(host, path)
    // A hook whose secret part comes from a setting belongs to the user.
    const own =
      kind === "hook" &&
      (path.includes("$") ||
        path.includes("{") ||
        path.includes("...") ||
        path.includes("your") ||
        path.endsWith("/bot") ||
        path.endsWith("/webhooks/") ||
        path.includes("xxx"))
    const concept = own ? "urlOwnHook" : kinds[kind]
    add(hits, "url", start, end)
    if (concept !== undefined) add(hits, concept, start, end)
    if (
      kind === "ip" ||
      kind === "onion" ||
      kind === "paste" ||
      kind === "collector" ||
      kind === "tunnel" ||
      kind === "short" ||
      kind === "hook"
    )
      add(hits, "urlUnknown", start, end)
    if ((scheme === "http" || scheme === "ftp") && kind !== "local" && kind !== "variable")
      add(hits, "urlPlain", start, end)
    if (path.includes("/releases/") || path.includes("/download/")) add(hits, "urlRelease", start, end)
    if (files.some((extension) => path.endsWith(extension) || path.includes(`${extension}?`)))
      add(hits, "urlFile", start, end)
    if (
      kind !== "local" &&
      (path.includes("${") ||
        path.includes("$(") ||
        path.includes("{{") ||
        path.includes("=$") ||
        path.includes("={") ||
        path.includes("=<") ||
        path.includes("/{") ||
        path.includes("=[") ||
        host.includes("$(") ||
        host.includes("${") ||
        path.endsWith("="))
    )
      add(hits, "urlTemplate", start, end)
  }
}

/** `curl get.tool.example/i.sh`: an address without a scheme, directly after the program and its options. */
const bareUrlSignals = (text: string, hits: Hits): void => {
  let offset = 0
  let after = false
  for (const word of text.split(" ")) {
    if (after && !word.startsWith("-")) {
      const slash = indexOfAny(word, "/?")
      const host = word.slice(0, slash)
      if (host.includes(".") && !host.startsWith(".") && !host.includes("$") && isHost(host)) {
        const kind = hostKind(host, word.slice(slash))
        add(hits, "url", offset, offset + word.length)
        add(hits, kinds[kind] ?? "url", offset, offset + word.length)
      }
      after = false
    } else if (word.endsWith("curl") || word.endsWith("wget") || word.endsWith("irm") || word.endsWith("iwr"))
      after = true
    offset += word.length + 1
  }
}

const domains = new Set([
  "com",
  "net",
  "org",
  "io",
  "dev",
  "ai",
  "app",
  "xyz",
  "info",
  "biz",
  "site",
  "online",
  "top",
  "club",
  "ru",
  "cn",
  "example",
  "test",
  "invalid",
  "co",
  "me",
  "cloud"
])

/** `drop.example`: an unknown host that is named without a scheme. */
const bareHostSignals = (text: string, hits: Hits): void => {
  for (let dot = text.indexOf("."); dot >= 0; dot = text.indexOf(".", dot + 1)) {
    let end = dot + 1
    while (end < text.length && end - dot < 9 && text.charAt(end) >= "a" && text.charAt(end) <= "z") end++
    if (
      !domains.has(text.slice(dot + 1, end)) ||
      text[end] === "(" ||
      (text[end] === "." && isBase58(text[end + 1] ?? " "))
    )
      continue
    let start = dot
    while (start > 0 && dot - start < 60 && (isBase58(text.charAt(start - 1)) || "0.-".includes(text.charAt(start - 1)))) start--
    if (
      start < dot &&
      text[start - 1] !== "/" &&
      text[start - 1] !== "@" &&
      hostKind(text.slice(start, end), "") === "unknown"
    )
      add(hits, "bareHost", start, end)
  }
}

const isHost = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (!isBase58(text.charAt(i)) && !"0.-:".includes(text.charAt(i))) return false
  return true
}

const interpreters = [
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
  "ash",
  "fish",
  "python",
  "python3",
  "python2",
  "node",
  "perl",
  "ruby",
  "php",
  "iex",
  "invoke-expression",
  "powershell",
  "pwsh",
  "osascript",
  "source",
  "lua",
  "deno",
  "bun",
  "tclsh",
  "cmd",
  "xargs"
]
const interpreterSet = new Set(interpreters)
const prefixes = new Set([
  "sudo",
  "env",
  "command",
  "exec",
  "nohup",
  "doas",
  "time",
  "&",
  "-",
  "-e",
  "-h",
  "-n",
  "-u",
  "root",
  "busybox",
  "tee",
  "stdbuf",
  "-i0"
])

/** The word at an offset: letters, digits, dots and slashes; a path counts by its last part. */
const programAt = (text: string, at: number): { readonly name: string; readonly end: number } => {
  let end = at
  while (end < text.length && !" |;&)`\"'<>(".includes(text.charAt(end))) end++
  const word = text.slice(at, end)
  return { name: word.slice(word.lastIndexOf("/") + 1), end }
}

/** What follows a pipe: an interpreter that reads its standard input, also behind `sudo` and the like. */
const pipeSignals = (text: string, hits: Hits): void => {
  for (let at = text.indexOf("|"); at >= 0; at = text.indexOf("|", at + 1)) {
    if (text[at + 1] === "|" || text[at - 1] === "|" || text[at - 1] === "\\") continue
    let from = at + 1
    for (let words = 0; words < 6; words++) {
      while (text[from] === " " || text[from] === "&") from++
      const { name, end } = programAt(text, from)
      if (
        interpreterSet.has(name) &&
        !(name === "xargs" && !text.startsWith("xargs sh", from) && !text.startsWith("xargs bash", from)) &&
        runsInput(text, name, end)
      ) {
        add(hits, "toShell", at, end)
        break
      }
      if (!prefixes.has(name) && !name.includes("=") && !(words > 0 && name.startsWith("-"))) break
      from = end
    }
  }
}

/** `| python3 -m json.tool` and `| python -c ...` read data; `| bash -s`, `| python3 -` and a bare interpreter run it. */
const runsInput = (text: string, name: string, end: number): boolean => {
  if (text[end] === "." || text[end] === "(") return name === "iex"
  const rest = text.slice(end, end + 12).trimStart()
  const script =
    name === "python" ||
    name === "python3" ||
    name === "python2" ||
    name === "node" ||
    name === "perl" ||
    name === "ruby" ||
    name === "php" ||
    name === "deno" ||
    name === "bun" ||
    name === "lua"
  if (!script) return true
  return (
    rest === "" ||
    rest === "-" ||
    (rest[0] === "-" && " `\"'|;&)".includes(rest[1] ?? " ")) ||
    "|;&)`\"'#>".includes(rest.charAt(0))
  )
}

const insides = [
  "$(curl",
  "$(wget",
  "<(curl",
  "<(wget",
  "`curl",
  "`wget",
  '"$(curl',
  "$( curl",
  "<( curl",
  "(irm ",
  "(iwr ",
  "(invoke-webrequest",
  "(new-object net.webclient",
  "(invoke-restmethod",
  "$(fetch"
]

/** A download whose output is taken as code: `bash <(curl …)`, `eval "$(curl …)"`. Markdown's code quotes are no substitution. */
const substitutionSignals = (text: string, hits: Hits, code: boolean): void => {
  for (const inside of insides) {
    if (inside[0] === "`" && !code) continue
    const at = text.indexOf(inside)
    if (at < 0) continue
    const before = text.slice(Math.max(0, at - 24), at)
    if (
      inside.startsWith("(") ||
      inside.startsWith("<(") ||
      ["eval", "sh -c", "bash -c", "zsh -c", "sh -s", "source", "iex", "python -c", "python3 -c", "node -e", ". "].some(
        (word) => before.includes(word)
      )
    ) {
      const runs =
        inside.startsWith("(") && !inside.startsWith("<")
          ? text.includes("iex") || text.includes("invoke-expression") || text.includes("scriptblock")
          : !inside.startsWith("<(") ||
            ["bash", "sh ", "zsh", "source", ". ", "python", "node", "sudo"].some((word) => before.includes(word))
      if (runs) add(hits, "fetchInside", at, at + inside.length)
    }
  }
}

const isBase58 = (char: string) => (char >= "1" && char <= "9") || (char >= "a" && char <= "z")
const isHex = (char: string) => (char >= "0" && char <= "9") || (char >= "a" && char <= "f")

/** Addresses of wallets: `0x` and 40 hexadecimal digits, `bc1…`, and 33 or 34 characters that start with `t` (TRON). */
const addressSignals = (text: string, hits: Hits): void => {
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if ((char !== "0" && char !== "t" && char !== "b") || (i > 0 && isBase58(text.charAt(i - 1)))) continue
    let end = i
    if (char === "0" && text[i + 1] === "x") {
      end = i + 2
      while (end < text.length && isHex(text.charAt(end))) end++
      if (end - i === 42 || (end - i >= 10 && text.startsWith("...", end))) add(hits, "address", i, end)
    } else if ((char === "b" && text.startsWith("bc1", i)) || char === "t") {
      while (end < text.length && isBase58(text.charAt(end))) end++
      if ((char === "b" && end - i >= 30 && end - i <= 64) || (char === "t" && end - i === 34))
        add(hits, "address", i, end)
    }
    i = Math.max(i, end - 1)
  }
}

const emailSignals = (text: string, hits: Hits): void => {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    let start = at
    while (start > 0 && (isBase58(text.charAt(start - 1)) || "0._+-".includes(text.charAt(start - 1)))) start--
    let end = at + 1
    while (end < text.length && (isBase58(text.charAt(end)) || "0.-".includes(text.charAt(end)))) end++
    const domain = text.slice(at + 1, end)
    if (start < at && domain.includes(".") && !domain.startsWith(".") && at - start < 65 && text[end] !== ":")
      add(hits, "email", start, end)
  }
}

/** Adds what a parser finds in one statement. */
export const derivedSignals = (text: string, hits: Hits, code: boolean): void => {
  if (text.includes("://")) urlSignals(text, hits)
  else if (text.includes("curl ") || text.includes("wget ") || text.includes("irm ") || text.includes("iwr "))
    bareUrlSignals(text, hits)
  if (!code && text.includes(".")) bareHostSignals(text, hits)
  if (text.includes("|")) pipeSignals(text, hits)
  if (
    text.includes("curl") ||
    text.includes("wget") ||
    text.includes("irm ") ||
    text.includes("iwr ") ||
    text.includes("webclient") ||
    text.includes("invoke-")
  )
    substitutionSignals(text, hits, code)
  if (text.includes("@")) emailSignals(text, hits)
  if (text.length >= 30) addressSignals(text, hits)
  const image = text.indexOf("![")
  if (image >= 0 || text.includes("<img")) imageSignals(text, hits, Math.max(0, image))
}

/** An image whose address is filled in at run time carries data out as soon as it is shown. */
const imageSignals = (text: string, hits: Hits, from: number): void => {
  const rest = text.slice(from)
  for (const { start, end, host, path } of urlsIn(rest)) {
    if (hostKind(host, path) === "known" || hostKind(host, path) === "local") continue
    if (
      ["{", "$", "<", "[", "%7b"].some((mark) => path.includes(mark)) ||
      rest[end] === "<" ||
      rest[end] === "[" ||
      path.endsWith("=")
    )
      add(hits, "imageTemplate", from + start, from + end)
  }
}
