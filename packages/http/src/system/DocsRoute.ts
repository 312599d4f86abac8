import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { currentRequest } from "../edge/CurrentRequest.ts"
import { pageHeaders } from "../edge/pageHeaders.ts"
import { entityTag } from "../edge/PublicResponse.ts"
import type { Route } from "../edge/RouteTable.ts"
import { Mount } from "../mount/Mount.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { docsFolder } from "./docsFolder.ts"

const pagePaths = ["/docs", "/docs/guides/:name", "/docs/reference/:name"] as const
const assetPath = "/docs/assets/:name"
const paths = [...pagePaths, assetPath] as const

/** A page that was built for any market, for this one (DOCS-8, DOCS-9). */
const forMarket = (html: string, market: string, base: string, hasConsole: boolean): string =>
  html
    .replaceAll(/\{\{#console\}\}([\s\S]*?)\{\{\/console\}\}/g, hasConsole ? "$1" : "")
    .replaceAll("{{market}}", market)
    .replaceAll("{{base}}", base)

const missing = "/missing"

/** The guides and the API reference (SYSTEM-3, DOCS-1). `table` lists the other routes of the server. */
const layerWith = (table: ReadonlyArray<Route>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const { path: base } = yield* Mount
      const { baseUrl = "http://localhost:3000" } = yield* HttpOptions
      const hasConsole = table.some(({ path }) => path === "/console/*")
      const built = yield* Effect.cached(Effect.sync(docsFolder.files))

      const pageAt = Effect.fnUntraced(function* (path: string) {
        const { pages } = yield* built
        const known = path !== missing && pages.includes(path)
        const html = yield* Effect.promise(() => docsFolder.page(known ? path : missing))
        const text = forMarket(html, baseUrl.replace(/\/$/, ""), base, hasConsole)
        const caching = known ? { etag: entityTag(text), "cache-control": "public, max-age=300" } : {}
        return HttpServerResponse.text(text, {
          status: known ? 200 : 404,
          contentType: "text/html; charset=utf-8",
          headers: { ...pageHeaders, ...caching }
        })
      })

      const assetNamed = Effect.fnUntraced(function* (name: string) {
        const { files } = yield* built
        const contentType = files.find((file) => file.name === name)?.contentType
        if (contentType === undefined) return HttpServerResponse.empty({ status: 404 })
        const bytes = yield* Effect.promise(() => docsFolder.asset(name))
        const caching = name === "icon.svg" ? "public, max-age=3600" : "public, max-age=31536000, immutable"
        return HttpServerResponse.uint8Array(bytes, { contentType, headers: { "cache-control": caching } })
      })

      for (const path of paths) {
        yield* router.add(
          "GET",
          path,
          Effect.gen(function* () {
            const record = yield* currentRequest
            record.route = path
            const { name = "" } = yield* HttpRouter.params
            return yield* path === assetPath
              ? assetNamed(name)
              : pageAt(path.replace("/docs", "").replace(":name", name))
          })
        )
      }
    })
  )

export const DocsRoute = {
  routes: paths.map((path) => ({ method: "GET", path })),
  layerWith
} as const
