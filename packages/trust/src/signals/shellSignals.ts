import { addHit } from "./addHit.ts"
import type { Hits } from "./matchWords.ts"

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

/** `curl | sh` and `curl … | sh` name a habit: without an address nothing is fetched. */
const fetchesNothing = (text: string, pipe: number): boolean => {
  let end = pipe
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === ".")) end--
  const program = text.slice(Math.max(0, end - 4), end)
  return program === "curl" || program === "wget"
}

/** What follows a pipe: an interpreter that reads its standard input, also behind `sudo` and the like. */
export const pipeSignals = (text: string, hits: Hits): void => {
  for (let at = text.indexOf("|"); at >= 0; at = text.indexOf("|", at + 1)) {
    if (text[at + 1] === "|" || text[at - 1] === "|" || text[at - 1] === "\\" || fetchesNothing(text, at)) continue
    let from = at + 1
    for (let words = 0; words < 6; words++) {
      while (text[from] === " " || text[from] === "&") from++
      const { name, end } = programAt(text, from)
      if (
        interpreterSet.has(name) &&
        !(name === "xargs" && !text.startsWith("xargs sh", from) && !text.startsWith("xargs bash", from)) &&
        runsInput(text, name, end)
      ) {
        addHit(hits, "toShell", at, end)
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
export const substitutionSignals = (text: string, hits: Hits, code: boolean): void => {
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
      if (runs) addHit(hits, "fetchInside", at, at + inside.length)
    }
  }
}
