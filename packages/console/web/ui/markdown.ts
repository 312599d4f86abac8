import MarkdownIt from "markdown-it"

const markdown = new MarkdownIt({ html: false, linkify: false })

/** Links of strangers lead to the web only. */
markdown.validateLink = (url) => /^https?:\/\//i.test(url)

const { core, renderer, utils } = markdown

renderer.rules["link_open"] = (tokens, index, options, _env, self) => {
  const token = tokens[index]
  token?.attrSet("rel", "noopener nofollow ugc")
  token?.attrSet("target", "_blank")
  return self.renderToken(tokens, index, options)
}

/** A picture is shown as a link, so that reading a page loads nothing from elsewhere. */
renderer.rules["image"] = (tokens, index) => {
  const token = tokens[index]
  const source = String(token?.attrGet("src") ?? "")
  const text = utils.escapeHtml(`Picture: ${token?.content || source}`)
  return `<a href="${utils.escapeHtml(source)}" rel="noopener nofollow ugc" target="_blank">${text}</a>`
}

/** The headings of a text stand below those of the page, and leave out no level, whatever levels the text has. */
core.ruler.push("lower_headings", ({ tokens }) => {
  const above: Array<number> = []
  for (const token of tokens) {
    const level = Number(/^h([1-6])$/.exec(token.tag)?.[1])
    if (Number.isNaN(level)) continue
    if (token.nesting === 1) {
      while ((above.at(-1) ?? 0) >= level) above.pop()
      above.push(level)
    }
    token.tag = `h${Math.min(6, above.length + 2)}`
  }
})

/** Markdown of a stranger as HTML with an allow-list: HTML in the text is shown as text, links are marked, pictures are not loaded (SHOP-4, SHOP-13, CONSOLE-70). */
export const markdownToHtml = (text: string): string => markdown.render(text)
