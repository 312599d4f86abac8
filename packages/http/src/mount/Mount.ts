import { Context } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Where the market's routes stand in somebody else's server. */
export interface MountedAt {
  /** The path that callers see before the routes, `/market`; "" where there is none. */
  readonly path: string
  /** Whether a proxy or a router in front takes it off. */
  readonly stripped: boolean
}

export const Mount = Context.Reference<MountedAt>("@agent-marketplace/http/mount/Mount", {
  defaultValue: () => ({ path: "", stripped: false })
})

/** Express takes the path of a mounted handler off the URL, and says so. */
const isStripped = ({ source }: HttpServerRequest.HttpServerRequest): boolean => {
  const { baseUrl } = source as { readonly baseUrl?: unknown }
  return typeof baseUrl === "string" && baseUrl !== ""
}

/** A request's path and query below the mount, as the routes know them; undefined where it is beside it. */
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
