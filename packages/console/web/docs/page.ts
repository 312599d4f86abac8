import type { BuiltFiles } from "./Sources.ts"

/** What every page needs: its place, its text, and the names of the built files. */
interface PageContent {
  readonly title: string
  readonly description: string
  /** Below `/docs`: "", `/guides/errors`. */
  readonly path: string
  readonly main: string
  readonly nav: string
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

/**
 * A whole page, which can be read without its script (DOCS-4, DOCS-5). The server replaces `{{base}}` with the path of the market, `{{market}}` with its URL, and removes the parts between
 * `{{#console}}` and `{{/console}}` where it serves no console (DOCS-9).
 */
export const pageHtml = ({ description, main, nav, path, title }: PageContent, files: BuiltFiles): string => {
  const asset = (name: string) => `{{base}}/docs/assets/${name}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Agent Marketplace</title>
<meta name="description" content="${escaped(description)}">
<meta name="color-scheme" content="light dark">
<link rel="canonical" href="{{market}}/docs${path}">
<link rel="icon" href="${asset("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${asset(files.style)}">
<script type="module" src="${asset(files.script)}"></script>
</head>
<body data-base="{{base}}" data-search="${asset(files.search)}">
<a href="#main" class="skip">Skip to content</a>
<header class="top">
<a class="brand" href="{{base}}/docs">Agent Marketplace <span>Docs</span></a>
<div id="search" role="search" hidden></div>
<nav aria-label="Main">
<a class="to-contents" href="#contents">Contents</a>
{{#console}}<a class="to-shop" href="{{base}}/">Shop</a>
<a class="button button-primary" href="{{base}}/console">Console</a>{{/console}}
</nav>
</header>
<div class="shell">
<main id="main" tabindex="-1">
${main}
</main>
<nav id="contents" class="contents" aria-label="Documentation">
${nav}
</nav>
</div>
<footer class="bottom">
<a href="{{base}}/openapi.json">OpenAPI document</a>
<noscript>Searching needs JavaScript; the contents list every page.</noscript>
</footer>
</body>
</html>
`
}
