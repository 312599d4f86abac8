import { addHit } from "./addHit.ts"
import type { Concept } from "./concepts.ts"
import type { HostKind } from "./hosts.ts"
import { hostKind } from "./hosts.ts"
import { isBase58 } from "./contactSignals.ts"
import type { Hits } from "./matchWords.ts"

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
/** Parts of the path of a chat hook that stand for a setting of the user. */
const ownHook = ["$", "{", "...", "your", "xxx"]
const ownHookEnds = ["/bot", "/webhooks/"]
/** Kinds of hosts that are also unknown ones. */
const odd = new Set<HostKind>(["ip", "onion", "paste", "collector", "tunnel", "short", "hook"])
/** Marks of a value that is filled in at run time. */
const filledPath = ["${", "$(", "{{", "=$", "={", "=<", "/{", "=["]
const filledHost = ["$(", "${"]
const webSchemes = new Set(["http", "https", "ftp", "ws", "wss", "hxxp", "hxxps", ""])

export const urlSignals = (text: string, hits: Hits): void => {
  for (const { start, end, scheme, host, path } of urlsIn(text)) {
    if (!webSchemes.has(scheme)) continue
    const kind = hostKind(host, path)
    // A hook whose secret part comes from a setting belongs to the user.
    const own =
      kind === "hook" && (ownHook.some((mark) => path.includes(mark)) || ownHookEnds.some((end) => path.endsWith(end)))
    const concept = own ? "urlOwnHook" : kinds[kind]
    addHit(hits, "url", start, end)
    if (concept !== undefined) addHit(hits, concept, start, end)
    if (odd.has(kind)) addHit(hits, "urlUnknown", start, end)
    if ((scheme === "http" || scheme === "ftp") && kind !== "local" && kind !== "variable")
      addHit(hits, "urlPlain", start, end)
    if (path.includes("/releases/") || path.includes("/download/")) addHit(hits, "urlRelease", start, end)
    if (files.some((extension) => path.endsWith(extension) || path.includes(`${extension}?`)))
      addHit(hits, "urlFile", start, end)
    const filled =
      filledPath.some((mark) => path.includes(mark)) ||
      filledHost.some((mark) => host.includes(mark)) ||
      path.endsWith("=")
    if (kind !== "local" && filled) addHit(hits, "urlTemplate", start, end)
  }
}

/** `curl get.tool.example/i.sh`: an address without a scheme, directly after the program and its options. */
export const bareUrlSignals = (text: string, hits: Hits): void => {
  let offset = 0
  let after = false
  for (const word of text.split(" ")) {
    if (after && !word.startsWith("-")) {
      const slash = indexOfAny(word, "/?")
      const host = word.slice(0, slash)
      if (host.includes(".") && !host.startsWith(".") && !host.includes("$") && isHost(host)) {
        const kind = hostKind(host, word.slice(slash))
        addHit(hits, "url", offset, offset + word.length)
        addHit(hits, kinds[kind] ?? "url", offset, offset + word.length)
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

/** `connect(("drop.example", 443))`: an unknown host as a literal of its own in code. */
export const hostLiteralSignals = (text: string, hits: Hits): void => {
  for (let dot = text.indexOf("."); dot >= 0; dot = text.indexOf(".", dot + 1)) {
    let start = dot
    while (start > 0 && dot - start < 60 && isHost(text.charAt(start - 1))) start--
    let end = dot + 1
    while (end < text.length && end - dot < 60 && (isHost(text.charAt(end)) || text[end] === ".")) end++
    const mark = text[start - 1]
    const host = text.slice(start, end)
    if (
      (mark === '"' || mark === "'" || mark === "`") &&
      text[end] === mark &&
      isDomain(host) &&
      hostKind(host, "") === "unknown"
    )
      addHit(hits, "bareHost", start, end)
    dot = Math.max(dot, end - 1)
  }
}

const isDomain = (host: string): boolean => {
  const last = host.slice(host.lastIndexOf(".") + 1)
  return domains.has(last) && host.split(".").every((part) => part !== "")
}

/** `drop.example`: an unknown host that is named without a scheme. */
export const bareHostSignals = (text: string, hits: Hits): void => {
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
    while (
      start > 0 &&
      dot - start < 60 &&
      (isBase58(text.charAt(start - 1)) || "0.-".includes(text.charAt(start - 1)))
    )
      start--
    if (
      start < dot &&
      text[start - 1] !== "/" &&
      text[start - 1] !== "@" &&
      hostKind(text.slice(start, end), "") === "unknown"
    )
      addHit(hits, "bareHost", start, end)
  }
}

const isHost = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (!isBase58(text.charAt(i)) && !"0.-:".includes(text.charAt(i))) return false
  return true
}

/** An image whose address is filled in at run time carries data out as soon as it is shown. */
export const imageSignals = (text: string, hits: Hits, from: number): void => {
  const rest = text.slice(from)
  for (const { start, end, host, path } of urlsIn(rest)) {
    if (hostKind(host, path) === "known" || hostKind(host, path) === "local") continue
    if (
      ["{", "$", "<", "[", "%7b"].some((mark) => path.includes(mark)) ||
      rest[end] === "<" ||
      rest[end] === "[" ||
      path.endsWith("=")
    )
      addHit(hits, "imageTemplate", from + start, from + end)
  }
}
