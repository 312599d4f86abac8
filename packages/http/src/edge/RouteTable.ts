import { FindMyWay } from "effect/http"

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
