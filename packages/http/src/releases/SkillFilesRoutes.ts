import { limits } from "@agent-marketplace/api/access/EndpointLimits"
import { BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import { NotFound } from "@agent-marketplace/core/errors/MarketError"
import type { PublicSkill } from "@agent-marketplace/core/releases/PublicSkills"
import { PublicSkills } from "@agent-marketplace/core/releases/PublicSkills"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { serveBlob } from "../blobs/serveBlob.ts"
import { entityTag, revalidated } from "../edge/PublicResponse.ts"
import type { OauthRoute, Refused } from "../oauth/oauthEndpoint.ts"
import { makeOauthEndpoint } from "../oauth/oauthEndpoint.ts"

type Request = HttpServerRequest.HttpServerRequest

const folder = ".well-known/agent-skills"

const routes = {
  index: { method: "GET", path: `/${folder}/index.json` },
  file: { method: "GET", path: `/${folder}/:name/*` }
} satisfies Record<string, OauthRoute>

const codes: Readonly<Record<number, string>> = {
  404: "NOT_FOUND",
  429: "RATE_LIMIT_EXCEEDED",
  503: "SERVICE_UNAVAILABLE"
}

const refused: Refused = ({ description, headers, status }) => {
  const message = status === 404 ? "No free skill on sale has this file" : description
  const error = { code: codes[status] ?? "INTERNAL_ERROR", message, details: {} }
  return HttpServerResponse.jsonUnsafe({ success: false, error }, { status, headers })
}

const fileNotFound = new NotFound({ resource: "LISTING" })

const indexOf = (request: Request, skills: ReadonlyArray<PublicSkill>) => {
  const text = JSON.stringify({
    skills: skills.map(({ description, files, name }) => ({ name, description, files: files.map(({ path }) => path) }))
  })
  const headers = { etag: entityTag(text), "cache-control": "public, no-cache" }
  return revalidated(request, HttpServerResponse.text(text, { contentType: "application/json", headers }))
}

const texts =
  /(?:^|\/)(?:LICENSE|[^/]+\.(?:md|txt|json|ya?ml|toml|csv|py|sh|js|mjs|cjs|ts|tsx|jsx|css|html|xml|svg|sql|rb|go|rs))$/i

/** Only types that a browser neither runs nor shows as a page (INSTALLER-6). */
const mediaTypeOf = (path: string): string =>
  texts.test(path) ? "text/plain; charset=utf-8" : "application/octet-stream"

/**
 * Free skills for other installers (INSTALLER-1). Each skill's URL has an index of this skill alone, so that an installer can be pointed to one
 * skill (INSTALLER-5).
 */
export const SkillFilesRoutes = {
  routes: Object.values(routes) as ReadonlyArray<OauthRoute>,
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const endpoint = yield* makeOauthEndpoint
      const skills = yield* PublicSkills
      const store = yield* BlobStore

      yield* endpoint(
        routes.index,
        limits.skillFiles,
        (request) => Effect.map(skills.index, (all) => indexOf(request, all)),
        refused
      )

      yield* endpoint(
        routes.file,
        limits.skillFiles,
        Effect.fnUntraced(function* (request) {
          const { "*": rest = "", name = "" } = yield* HttpRouter.params
          const skill = yield* skills.find(name)
          if (rest === `${folder}/index.json`) return indexOf(request, [skill])
          const own = `${folder}/${name}/`
          const path = rest.startsWith(own) ? rest.slice(own.length) : rest
          const file = skill.files.find((one) => one.path === path)
          if (file === undefined) return yield* fileNotFound
          const fileName = path.slice(path.lastIndexOf("/") + 1)
          const blob = { sha256: file.sha256, mediaType: mediaTypeOf(path), fileName, isPublic: true }
          return yield* serveBlob(request, blob).pipe(
            Effect.provideService(BlobStore, store),
            // The bytes were purged.
            Effect.catchTag("BlobNotFound", () => Effect.fail(fileNotFound))
          )
        }),
        refused
      )
    })
  )
} as const
