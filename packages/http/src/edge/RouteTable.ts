import type { ErrorFormatName } from "@agent-marketplace/api/access/Operation"
import { FindMyWay } from "effect/http"
import type { EndpointPlan } from "./EndpointPlan.ts"

export interface Route {
  readonly method: string
  readonly path: string
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** How paths are compared: case-sensitive, ignoring double and trailing slashes, with parameters of any length. */
export const routerConfig = { caseSensitive: true, maxParamLength: 16_384 }

/** The methods of a path (ERROR-11, ERROR-12); none for an unknown path. Needed only if the router has found no route. */
export const makeRouteTable = (routes: ReadonlyArray<Route>): ((url: string) => ReadonlyArray<string>) => {
  const router = FindMyWay.make<true>(routerConfig)
  for (const { method, path } of routes) router.on(method, path as `/${string}`, true)
  return (url) => {
    const found = methods.filter((method) => router.find(method, url) !== undefined)
    return found.includes("GET") ? ["HEAD", ...found] : found
  }
}

/** A route that is refused early in an overload. */
export interface SheddableRoute {
  readonly path: string
  readonly errorFormat: ErrorFormatName
}

/** The route of a GET that is refused first in an overload; undefined for all others (LOAD-2). */
export const makeSheddable = (plans: ReadonlyArray<EndpointPlan>): ((url: string) => SheddableRoute | undefined) => {
  const router = FindMyWay.make<SheddableRoute | null>(routerConfig)
  for (const { errorFormat, method, priority, route } of plans)
    if (method === "GET")
      router.on("GET", route as `/${string}`, priority === "read" ? { path: route, errorFormat } : null)
  return (url) => router.find("GET", url)?.handler ?? undefined
}
