import { HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"

/** Text that was escaped or written by this program. */
export interface Html {
  readonly markup: string
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "")

type Part = string | Html | ReadonlyArray<Html>

const rendered = (part: Part): string => {
  if (typeof part === "string") return escaped(part)
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("")
}

/** A part of a page. Every value is escaped, so that untrusted text cannot become markup. */
export const html = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => ({
  markup: texts.reduce((page, text, index) => page + text + rendered(parts[index] ?? ""), "")
})

/** Why approving is not possible yet, and the link to the page where it becomes possible (PASSKEY-10). */
export const confirmHtml = (address: string, purpose: string): Html =>
  html`<p class="problem">Your account has a passkey. Confirm with it before you ${purpose}.</p>
    <p><a class="button" href="${address}">Confirm with a passkey</a></p>`

const style = `
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff }
  h1 { font-size: 1.4rem } fieldset { border: 1px solid #bbb; border-radius: 6px; margin: 1rem 0; padding: .75rem 1rem }
  label { display: block; margin: .5rem 0 } input[type=text], input[type=password], input[type=number] { width: 100%; padding: .4rem; font: inherit; box-sizing: border-box }
  button { font: inherit; padding: .5rem 1.25rem; margin-right: .5rem } a { color: inherit } a.button { display: inline-block; padding: .5rem 1.25rem; border: 1px solid; border-radius: 6px; text-decoration: none } .note { color: #555 } .problem { color: #a40000 } code { word-break: break-all }
  @media (prefers-color-scheme: dark) { body { color: #eee; background: #1a1a1a } .note { color: #aaa } .problem { color: #ff8080 } }
`

/** The style of the market's own pages, and the source of a content security policy that allows it alone. */
export const styleElement = `<style>${style}</style>`
export const styleSource = `'sha256-${hash("sha256", style, "base64")}'`

/**
 * A page that runs no script, loads nothing and cannot be shown in a frame (OAUTH-22). `formTargets` are the origins, besides this one, that a
 * form's answer may redirect to.
 */
export const page = (
  title: string,
  body: Html,
  options: {
    readonly status?: number
    readonly formTargets?: ReadonlyArray<string>
    /** More of the head. */
    readonly head?: Html
  } = {}
): HttpServerResponse.HttpServerResponse => {
  const { formTargets = [], head = html``, status = 200 } = options
  const markup = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        ${{ markup: styleElement }} ${head}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`
  const policy = `default-src 'none'; style-src ${styleSource}; base-uri 'none'; frame-ancestors 'none'; form-action ${["'self'", ...formTargets].join(" ")}`
  return HttpServerResponse.text(markup.markup, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policy, "cache-control": "no-store" }
  })
}
