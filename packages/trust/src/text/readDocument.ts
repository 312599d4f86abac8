import { markdownStatements } from "./markdownStatements.ts"
import { scriptStatements } from "./scriptStatements.ts"
import type { Statement } from "./Statement.ts"

export interface Document {
  readonly path: string
  readonly lines: ReadonlyArray<string>
  readonly kind: "text" | "script" | "data"
  readonly statements: ReadonlyArray<Statement>
}

const scripts: Readonly<Record<string, string>> = {
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  fish: "shell",
  command: "shell",
  ps1: "powershell",
  psm1: "powershell",
  bat: "batch",
  cmd: "batch",
  vbs: "batch",
  py: "python",
  pyw: "python",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  ts: "javascript",
  mts: "javascript",
  cts: "javascript",
  tsx: "javascript",
  jsx: "javascript",
  rb: "ruby",
  pl: "perl",
  php: "php",
  lua: "lua",
  go: "go",
  rs: "rust",
  swift: "swift",
  java: "java",
  kt: "java",
  c: "c",
  cpp: "c",
  cs: "c",
  applescript: "applescript",
  scpt: "applescript",
  mk: "make",
  service: "unit",
  timer: "unit",
  sql: "sql",
  r: "r",
  jl: "julia",
  ex: "elixir",
  nix: "nix",
  tf: "terraform",
  ksh: "shell",
  csh: "shell",
  bats: "shell",
  nu: "shell",
  psd1: "powershell",
  vb: "batch",
  vba: "batch",
  bas: "batch",
  wsf: "batch",
  ahk: "batch",
  coffee: "javascript",
  vue: "javascript",
  svelte: "javascript",
  pyx: "python",
  kts: "java",
  gradle: "java",
  groovy: "java",
  scala: "java",
  sbt: "java",
  dart: "java",
  h: "c",
  cc: "c",
  cxx: "c",
  hpp: "c",
  m: "c",
  mm: "c",
  zig: "c",
  nim: "python",
  cr: "ruby",
  rake: "ruby",
  gemspec: "ruby",
  podspec: "ruby",
  pm: "perl",
  awk: "shell",
  tcl: "shell",
  exs: "elixir",
  clj: "lisp",
  el: "lisp",
  hs: "haskell",
  ml: "ocaml",
  cmake: "make",
  bzl: "python"
}
const data = new Set([
  "json",
  "jsonc",
  "json5",
  "jsonl",
  "yaml",
  "yml",
  "toml",
  "xml",
  "plist",
  "csv",
  "tsv",
  "ini",
  "cfg",
  "conf",
  "env",
  "properties",
  "lock",
  "desktop",
  "reg"
])
const named: Readonly<Record<string, string>> = {
  makefile: "make",
  dockerfile: "docker",
  gemfile: "ruby",
  rakefile: "ruby",
  justfile: "make",
  procfile: "shell",
  ".bashrc": "shell",
  ".zshrc": "shell",
  ".profile": "shell"
}
const hooks = new Set([
  "pre-commit",
  "post-commit",
  "pre-push",
  "post-checkout",
  "post-merge",
  "prepare-commit-msg",
  "commit-msg"
])

const interpreterOf = (firstLine: string): string => {
  if (!firstLine.startsWith("#!")) return ""
  if (firstLine.includes("python")) return "python"
  if (firstLine.includes("node") || firstLine.includes("deno") || firstLine.includes("bun")) return "javascript"
  return "shell"
}

/** The language of a script, or an empty text for a file that is none. */
export const languageOf = (path: string, firstLine: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  const dot = name.lastIndexOf(".")
  return (
    named[name] ??
    (hooks.has(name) ? "shell" : undefined) ??
    (dot > 0 ? scripts[name.slice(dot + 1)] : undefined) ??
    interpreterOf(firstLine)
  )
}

export const isData = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  return data.has(name.slice(name.lastIndexOf(".") + 1)) || name.startsWith(".env") || name === ".npmrc"
}

/** Cuts a text file into statements, by the kind of file that its name and first line show. */
export const readDocument = (path: string, content: string): Document => {
  const text = content.includes("\r") ? content.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : content
  const lines = text.split("\n")
  const language = languageOf(path, lines[0] ?? "")
  if (language !== "") return { path, lines, kind: "script", statements: scriptStatements(text, language, "script") }
  if (isData(path)) return { path, lines, kind: "data", statements: scriptStatements(text, "", "data") }
  return { path, lines, kind: "text", statements: markdownStatements(text) }
}
