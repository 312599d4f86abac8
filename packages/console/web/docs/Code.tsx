import highlighter from "highlight.js/lib/core"
import bash from "highlight.js/lib/languages/bash"
import css from "highlight.js/lib/languages/css"
import go from "highlight.js/lib/languages/go"
import json from "highlight.js/lib/languages/json"
import nginx from "highlight.js/lib/languages/nginx"
import python from "highlight.js/lib/languages/python"
import sql from "highlight.js/lib/languages/sql"
import typescript from "highlight.js/lib/languages/typescript"
import xml from "highlight.js/lib/languages/xml"
import yaml from "highlight.js/lib/languages/yaml"
import { marketUrl } from "./samples.ts"

const languages = { bash, css, go, json, nginx, python, sql, typescript, xml, yaml }
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language)

const aliases: Readonly<Record<string, string>> = {
  sh: "bash",
  ts: "typescript",
  js: "typescript",
  py: "python",
  html: "xml"
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/** Code as HTML with classes. The server inserts the market's URL, and the page the one that it was loaded from. */
export const codeHtml = (code: string, language: string): string => {
  const name = aliases[language] ?? language
  const html =
    highlighter.getLanguage(name) === undefined
      ? code.replaceAll(/[&<>]/g, (sign) => escapes[sign] ?? sign)
      : highlighter.highlight(code, { language: name }).value
  return html.replaceAll(marketUrl, "<span data-market>{{market}}</span>")
}

/** A block of code that scrolls by itself and can be reached with the keyboard. */
export const Code = ({
  code,
  label,
  language
}: {
  readonly code: string
  readonly label: string
  readonly language: string
}) => (
  <figure className="code">
    <figcaption>{label}</figcaption>
    <pre tabIndex={0} role="region" aria-label={label}>
      <code dangerouslySetInnerHTML={{ __html: codeHtml(code.trimEnd(), language) }} />
    </pre>
  </figure>
)
