import { FindMyWay } from "effect/http"

export interface Route {
  readonly method: string
  readonly path: string
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** How paths are compared: by case, whatever slashes stand double or at the end, parameters as long as a path can be. */
export const routerConfig = { caseSensitive: true, maxParamLength: 16_384 }

/** Which methods a path answers (ERROR-11, ERROR-12); none where nothing is there. Needed only once the router has found nothing. */
export const makeRouteTable = (routes: ReadonlyArray<Route>): ((url: string) => ReadonlyArray<string>) => {
  const router = FindMyWay.make<true>(routerConfig)
  for (const { method, path } of routes) router.on(method, path as `/${string}`, true)
  return (url) => {
    const found = methods.filter((method) => router.find(method, url) !== undefined)
    return found.includes("GET") ? ["HEAD", ...found] : found
  }
}
