import { limits } from "@agent-marketplace/api/access/EndpointLimits"
import { NotFound } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Text } from "@agent-marketplace/core/text/Text"
import { currentRequest } from "@agent-marketplace/http/edge/CurrentRequest"
import { pageHeaders } from "@agent-marketplace/http/edge/pageHeaders"
import { entityTag } from "@agent-marketplace/http/edge/PublicResponse"
import { Mount } from "@agent-marketplace/http/mount/Mount"
import { makeOauthEndpoint } from "@agent-marketplace/http/oauth/oauthEndpoint"
import { HttpOptions } from "@agent-marketplace/http/options/HttpOptions"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { consoleFolder } from "./consoleFolder.ts"
import { dataFailure } from "./dataFailure.ts"
import { Demonstration } from "./demonstration/Demonstration.ts"
import { headOf } from "./shop/headOf.ts"
import { shopDocument } from "./shop/shopDocument.ts"
import { readShopQuery } from "./shop/ShopQuery.ts"
import { makeShopWindow } from "./shop/ShopWindow.ts"
import type { ShopWindow } from "./shop/ShopWindow.ts"

type Request = HttpServerRequest.HttpServerRequest

const html = "text/html; charset=utf-8"

/** Pages of the shop window may be kept this long by browsers and proxies. */
const shopCache = "public, max-age=15"

/** Programs keep the API's 404 at the paths of pages (SHOP-5). */
const wantsJson = ({ headers: { accept = "" } }: Request): boolean =>
  accept.includes("application/json") && !accept.includes("text/html")

const parametersOf = ({ url }: Request): URLSearchParams => new URL(url, "http://market").searchParams

/** An id with NUL or broken UTF-8 names nothing. */
const pathId = Effect.flatMap(HttpRouter.params, ({ id = "" }) =>
  Text.isClean(id) ? Effect.succeed(id) : Effect.fail(new NotFound({ resource: "LISTING" }))
)

/** The pages of the shop window by path, and how each reads what it shows. */
const pages = {
  "/": (shop: ShopWindow) => shop.home(),
  "/search": (shop: ShopWindow, request: Request) => shop.search(readShopQuery(parametersOf(request))),
  "/items/:id": (shop: ShopWindow) => Effect.flatMap(pathId, shop.item),
  "/creators/:id": (shop: ShopWindow) => Effect.flatMap(pathId, (id) => shop.creator(id as AccountId))
} as const

const paths = Object.keys(pages) as ReadonlyArray<keyof typeof pages>

/** The data of a page stands beside it: `/data/search?q=mail` (SHOP-7). */
const dataPath = (path: string) => `/data${path === "/" ? "/home" : path}` as `/${string}`

const consolePaths = ["/console/*"] as const

/** A service worker acts only for pages below its own path, so its script is not among the assets. */
const pushWorkerPath = "/console/push-worker.js"

/** Files whose names do not change with their content. */
const fixedNames = new Set(["icon.svg", "preview.png"])

const noRoute = dataFailure({ status: 404, description: "Nothing is at this path" })

const dataOf = (page: unknown): HttpServerResponse.HttpServerResponse => {
  const json = JSON.stringify(page)
  const headers = { etag: entityTag(json), "cache-control": shopCache }
  return HttpServerResponse.text(json, { contentType: "application/json", headers })
}

/** The shop window, and the console of people who are signed in (SHOP-1, CONSOLE-1). */
export const ConsoleRoutes = {
  routes: [
    ...paths.flatMap((path) => [
      { method: "GET", path },
      { method: "GET", path: dataPath(path) }
    ]),
    ...[...consolePaths, pushWorkerPath, "/assets/:name"].map((path) => ({ method: "GET", path }))
  ],
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const endpoint = yield* makeOauthEndpoint
      const shop = yield* makeShopWindow
      const { path: base } = yield* Mount
      const { baseUrl = "" } = yield* HttpOptions
      const demonstration = yield* Demonstration
      const build = consoleFolder.files()
      const renderer = yield* Effect.promise(consoleFolder.renderer)

      const documentOf = (page: unknown): HttpServerResponse.HttpServerResponse => {
        const head = headOf(page)
        const body = renderer.render(page, base)
        const json = JSON.stringify(page)
        const text = shopDocument({ ...build.shop, head, origin: baseUrl, base, body, json })
        const caching = head.status === 200 ? { etag: entityTag(text), "cache-control": shopCache } : {}
        return HttpServerResponse.text(text, {
          status: head.status,
          contentType: html,
          headers: { ...pageHeaders, ...caching, vary: "accept" }
        })
      }

      const pictures = `${baseUrl}/images/`

      /** Pages say where their pictures are (IMAGE-15), and that the shop shows demonstration data (CONSOLE-56). */
      const marked = (page: unknown) =>
        Effect.map(demonstration === null ? Effect.succeed(null) : demonstration.owner, (owner) =>
          owner === null ? { ...(page as object), pictures } : { ...(page as object), pictures, demonstration: true }
        )

      const problem = ({ description, status }: { readonly status: number; readonly description: string }) =>
        documentOf({ kind: "problem", status, description })

      for (const path of paths) {
        const read = (request: Request) =>
          Effect.flatMap(pages[path](shop, request), (json) => marked(renderer.complete(JSON.parse(json))))
        yield* endpoint(
          { method: "GET", path },
          limits.shop,
          (request) => (wantsJson(request) ? Effect.succeed(noRoute) : Effect.map(read(request), documentOf)),
          problem
        )
        yield* endpoint(
          { method: "GET", path: dataPath(path) },
          limits.shop,
          (request) => Effect.map(read(request), dataOf),
          dataFailure
        )
      }

      const shell = HttpServerResponse.text(consoleDocument(build.console, base, demonstration !== null), {
        contentType: html,
        headers: { ...pageHeaders, "cache-control": "no-cache" }
      })
      for (const path of consolePaths) {
        yield* router.add(
          "GET",
          path,
          Effect.map(currentRequest, (record) => {
            record.route = path
            return shell
          })
        )
      }

      yield* router.add(
        "GET",
        pushWorkerPath,
        Effect.gen(function* () {
          const record = yield* currentRequest
          record.route = pushWorkerPath
          const bytes = yield* Effect.promise(() => consoleFolder.read(build.pushWorker))
          const headers = { ...pageHeaders, "cache-control": "no-cache" }
          return HttpServerResponse.uint8Array(bytes, { contentType: "text/javascript; charset=utf-8", headers })
        })
      )

      const types = new Map(build.files.map(({ contentType, name }) => [name, contentType]))
      yield* router.add(
        "GET",
        "/assets/:name",
        Effect.gen(function* () {
          const record = yield* currentRequest
          record.route = "/assets/:name"
          const { name = "" } = yield* HttpRouter.params
          const contentType = types.get(name)
          if (contentType === undefined) return HttpServerResponse.empty({ status: 404 })
          const bytes = yield* Effect.promise(() => consoleFolder.read(name))
          const caching = fixedNames.has(name) ? "public, max-age=3600" : "public, max-age=31536000, immutable"
          return HttpServerResponse.uint8Array(bytes, { contentType, headers: { "cache-control": caching } })
        })
      )
    })
  )
}

function consoleDocument(
  { imports, script, styles }: { script: string; styles: ReadonlyArray<string>; imports: ReadonlyArray<string> },
  base: string,
  demonstration: boolean
): string {
  const asset = (name: string) => `${base}/assets/${name}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Console · Agent Marketplace</title>
<link rel="icon" href="${asset("icon.svg")}" type="image/svg+xml">
${styles.map((name) => `<link rel="stylesheet" href="${asset(name)}">`).join("\n")}
${imports.map((name) => `<link rel="modulepreload" href="${asset(name)}">`).join("\n")}
<script type="module" src="${asset(script)}"></script>
</head>
<body data-base="${base}"${demonstration ? " data-demonstration" : ""}>
<div id="root"></div>
<noscript>The console needs JavaScript. The shop can be read without it.</noscript>
</body>
</html>
`
}
