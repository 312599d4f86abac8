/** The parts of a page that search engines and previews of links show. */
export interface PageHead {
  readonly title: string
  readonly description: string
  /** The path of the page below the market, for the canonical URL. */
  readonly path: string
  /** The path of the picture that previews of links show; by default the one of the shop. */
  readonly image?: string | undefined
  readonly status: number
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)

/** JSON in a data block of a page: no `<` can end the block. */
const dataBlock = (json: string): string =>
  json
    .replace(/</g, "\\u003c")
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029")

export interface ShopDocument {
  readonly head: PageHead
  /** The market's public URL. */
  readonly origin: string
  /** The path below which the market is mounted. */
  readonly base: string
  readonly script: string
  readonly imports: ReadonlyArray<string>
  readonly styles: ReadonlyArray<string>
  /** The page rendered as HTML, and the JSON that it was rendered from. */
  readonly body: string
  readonly json: string
}

/** The document of a page of the shop window. It can be read without JavaScript (SHOP-3), and its scripts are deferred (SHOP-16). */
export const shopDocument = ({ base, body, head, imports, json, origin, script, styles }: ShopDocument): string => {
  const title = escapeHtml(head.title)
  const description = escapeHtml(head.description)
  const asset = (name: string) => `${base}/assets/${name}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:url" content="${escapeHtml(origin + head.path)}">
<meta property="og:image" content="${escapeHtml(origin + (head.image ?? "/assets/preview.png"))}">
<meta name="twitter:card" content="summary_large_image">
<link rel="canonical" href="${escapeHtml(origin + head.path)}">
<link rel="icon" href="${asset("icon.svg")}" type="image/svg+xml">
${styles.map((name) => `<link rel="stylesheet" href="${asset(name)}">`).join("\n")}
${imports.map((name) => `<link rel="modulepreload" href="${asset(name)}">`).join("\n")}
<script type="module" src="${asset(script)}"></script>
</head>
<body data-base="${escapeHtml(base)}">
<div id="root">${body}</div>
<script type="application/json" id="page">${dataBlock(json)}</script>
</body>
</html>
`
}
