import MarkdownIt from "markdown-it"
import type { StateCore } from "markdown-it"
import { codeHtml } from "./Code.tsx"
import { slugOf } from "./OpenApi.ts"
import type { GuideSource } from "./Sources.ts"

interface Heading {
  readonly id: string
  readonly title: string
  readonly level: number
  /** The text until the next heading. */
  readonly text: string
}

export interface GuidePage extends Pick<GuideSource, "name" | "group"> {
  readonly title: string
  readonly description: string
  readonly html: string
  readonly headings: ReadonlyArray<Heading>
}

interface Environment extends Record<PropertyKey, unknown> {
  /** The address of a link, or undefined where nothing on these pages is its target. */
  readonly addressOf: (target: string) => string | undefined
  readonly used: Map<string, number>
}

const markdown = new MarkdownIt({ html: true, linkify: false })
const { core, renderer, utils } = markdown

/** The pages of the repository contain HTML comments for programs; other HTML is shown as text. */
const htmlOf = (content: string): string => (content.startsWith("<!--") ? "" : utils.escapeHtml(content))
renderer.rules["html_block"] = (tokens, index) => htmlOf(tokens[index]?.content ?? "")
renderer.rules["html_inline"] = (tokens, index) => htmlOf(tokens[index]?.content ?? "")

const names: Readonly<Record<string, string>> = {
  go: "Go",
  html: "HTML",
  js: "JavaScript",
  json: "JSON",
  py: "Python",
  python: "Python",
  sh: "Shell",
  text: "Output",
  ts: "TypeScript",
  yaml: "YAML"
}

const codeBlock = (code: string, language: string, label: string): string =>
  `<pre tabindex="0" role="region" aria-label="${utils.escapeHtml(label)}"><code>${codeHtml(code.trimEnd(), language)}</code></pre>`

renderer.rules["fence"] = (tokens, index) => {
  const { content = "", info = "" } = tokens[index] ?? {}
  const language = info.trim() || "text"
  const name = names[language] ?? language
  return `<figure class="code"><figcaption>${name}</figcaption>${codeBlock(content, language, `${name}, code ${index}`)}</figure>\n`
}

renderer.rules["table_open"] = (_tokens, index) =>
  `<div class="table" tabindex="0" role="region" aria-label="Table ${index}"><table>\n`
renderer.rules["table_close"] = () => "</table></div>\n"

/** Gives headings anchors, and leads links to these pages. A link to a file that is not shown here becomes text. */
const rewrite = ({ env, tokens }: StateCore): void => {
  const { addressOf, used } = env as Environment
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") {
      const slug = slugOf(tokens[index + 1]?.content ?? "")
      const before = used.get(slug) ?? 0
      used.set(slug, before + 1)
      token.attrSet("id", before === 0 ? slug : `${slug}-${before}`)
    }
    const open: Array<boolean> = []
    for (const child of token.children ?? []) {
      if (child.type === "link_open") {
        const address = addressOf(String(child.attrGet("href")))
        open.push(address !== undefined)
        if (address === undefined) child.type = "span_open"
        else child.attrSet("href", address)
        if (address === undefined) [child.tag, child.attrs] = ["span", []]
      } else if (child.type === "link_close" && open.pop() === false) child.tag = "span"
    }
  })
}
core.ruler.push("rewrite", rewrite)

/** Markdown without its marks. */
const textOf = (source: string): string => source.replaceAll(/[`*[]|\]\([^)]*\)|\]|<!--[\s\S]*?-->/g, "")

const headingsOf = (tokens: ReturnType<typeof markdown.parse>): ReadonlyArray<Heading> => {
  const found: Array<{ id: string; title: string; level: number; text: string }> = []
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") {
      const title = textOf(tokens[index + 1]?.content ?? "").trim()
      found.push({ id: String(token.attrGet("id")), title, level: Number(token.tag.slice(1)), text: "" })
    } else if (token.type === "inline" && tokens[index - 1]?.type !== "heading_open") {
      const last = found.at(-1)
      if (last !== undefined) last.text += ` ${textOf(token.content)}`
    }
  })
  return found
}

const languageOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1)

const appendix = (programs: Readonly<Record<string, string>>): string =>
  Object.entries(programs)
    .map(([path, code]) => {
      const name = path.slice(path.lastIndexOf("/") + 1)
      const block = codeBlock(code, languageOf(path), path)
      return `<details class="program" id="file-${slugOf(path)}"><summary><code>${name}</code></summary><figure class="code">${block}</figure></details>`
    })
    .join("\n")

/** The page of a guide (DOCS-2). `addressOf` gives the address of a file of the repository on these pages. */
export const guidePage = (source: GuideSource, addressOf: (file: string) => string | undefined): GuidePage => {
  const from = new URL(source.file, "file:///")
  const environment: Environment = {
    used: new Map(),
    addressOf: (target) => {
      if (/^(?:https?:|mailto:|#)/.test(target)) return target
      const { hash, pathname } = new URL(target, from)
      const path = decodeURIComponent(pathname.slice(1))
      if (source.programs[path] !== undefined) return `#file-${slugOf(path)}`
      const address = addressOf(path)
      return address === undefined ? undefined : address + hash
    }
  }
  const tokens = markdown.parse(source.markdown, environment)
  const headings = headingsOf(tokens)
  const [first] = headings
  const programs = appendix(source.programs)
  const end = programs === "" ? "" : `<h2 id="programs">Programs</h2>\n${programs}`
  return {
    name: source.name,
    group: source.group,
    title: first?.title ?? source.name,
    description: (first?.text ?? "").trim().split(/(?<=\.)\s/)[0] ?? "",
    html: renderer.render(tokens, markdown.options, environment) + end,
    headings: headings.slice(1).filter(({ level }) => level < 4)
  }
}
