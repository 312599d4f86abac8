import { currentRequest } from "@agent-marketplace/http/edge/CurrentRequest"
import { entityTag } from "@agent-marketplace/http/edge/PublicResponse"
import { Mount } from "@agent-marketplace/http/mount/Mount"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { graphiqlFiles } from "./graphiqlFiles.ts"

const path = "/graphql"

const require = createRequire(import.meta.url)

/** The folder of an installed package; undefined in a container image, which has none. */
const folderOf = (source: string): string | undefined => {
  try {
    return dirname(require.resolve(`${source}/package.json`))
  } catch {
    return undefined
  }
}

/**
 * Files of other packages are read when they are first requested, and not kept: few callers are people in a browser. The image has them
 * in a folder beside this module (`scripts/bundle.ts`).
 */
const contentOf = (name: string, source: string, file: string): Promise<Uint8Array> => {
  const folder = folderOf(source)
  return readFile(folder === undefined ? new URL(`./graphiql/${name}`, import.meta.url) : join(folder, file))
}

const script = `ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, { fetcher: GraphiQL.createFetcher({ url: document.body.dataset.url }), defaultEditorToolsVisibility: "headers" })
)`

/** The page may call this service only, and run its own files only (HEADER-6). */
const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${hash("sha256", script, "base64")}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const pageAt = (url: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL - Agent Marketplace</title>
<link rel="stylesheet" href="${url}/graphiql.css">
<style>html, body, #graphiql { height: 100%; margin: 0 }</style>
</head>
<body data-url="${url}">
<div id="graphiql">GraphiQL is loading.</div>
<script src="${url}/react.js"></script>
<script src="${url}/react-dom.js"></script>
<script src="${url}/graphiql.js"></script>
<script>${script}</script>
</body>
</html>
`

const cacheable = (body: Uint8Array, contentType: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.uint8Array(body, {
    contentType,
    headers: { etag: entityTag(body), "cache-control": "public, max-age=300", ...headers }
  })

/** The page on which people try queries, GraphiQL, at the path of the API (GRAPHQL-8). */
export const GraphiqlRoute = {
  routes: [path, ...Object.keys(graphiqlFiles).map((name) => `${path}/${name}`)].map((route) => ({
    method: "GET",
    path: route
  })),
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const mount = yield* Mount
      const page = new TextEncoder().encode(pageAt(mount.path + path))
      const routed = (route: string, response: Effect.Effect<HttpServerResponse.HttpServerResponse>) =>
        router.add(
          "GET",
          route as "/",
          Effect.flatMap(currentRequest, (record) => {
            record.route = route
            return response
          })
        )
      yield* routed(
        path,
        Effect.succeed(cacheable(page, "text/html; charset=utf-8", { "content-security-policy": policy }))
      )
      for (const [name, [source, file, contentType]] of Object.entries(graphiqlFiles)) {
        const content = Effect.promise(() => contentOf(name, source, file))
        yield* routed(
          `${path}/${name}`,
          Effect.map(content, (body) => cacheable(body, `${contentType}; charset=utf-8`))
        )
      }
    })
  )
}
