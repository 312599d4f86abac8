import { Context, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"

/** The path below which another server serves the market's routes. */
export interface MountedAt {
  /** The path that callers see before the routes, such as `/market`; "" where there is none. */
  readonly path: string
  /** Whether a proxy or a router in front removes it. */
  readonly stripped: boolean
}

export const Mount = Context.Reference<MountedAt>("@agent-marketplace/http/mount/Mount", {
  defaultValue: () => ({ path: "", stripped: false })
})

/** Below the path of the market's public URL, which the documents name too. */
export const mountBelow = (baseUrl: string, { stripped }: Pick<MountedAt, "stripped">) =>
  Layer.succeed(Mount, { path: new URL(baseUrl).pathname.replace(/\/$/, ""), stripped })

/** Express removes the path of a mounted handler from the URL, and keeps it in `baseUrl`. */
const isStripped = ({ source }: HttpServerRequest.HttpServerRequest): boolean => {
  const { baseUrl } = source as { readonly baseUrl?: unknown }
  return typeof baseUrl === "string" && baseUrl !== ""
}

/** A request's path and query below the mount; undefined where the request is not below it. */
export const belowMount = (
  { path, stripped }: MountedAt,
  request: HttpServerRequest.HttpServerRequest
): string | undefined => {
  const { url } = request
  if (path === "" || stripped || isStripped(request)) return url
  if (!url.startsWith(path)) return undefined
  const rest = url.slice(path.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}
