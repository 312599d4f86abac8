import type { HttpServerRequest } from "effect/http"
import { isLoopbackName, makeNamesService } from "./TrustedHost.ts"

/** The host that a request was sent to, from its header or from the URL of a fetch handler's request. */
const hostOf = ({ headers, source }: HttpServerRequest.HttpServerRequest): string | undefined => {
  const { url } = source as { readonly url?: unknown }
  return headers["host"] ?? (typeof url === "string" && URL.canParse(url) ? new URL(url).host : undefined)
}

/**
 * Protects callers that a browser identifies automatically, with the cookies of the host's own users. Any page can make a browser send them.
 */
export const makeSameOrigin = (baseUrl: string | undefined, allowedHosts: ReadonlyArray<string>) => {
  const base = baseUrl === undefined ? undefined : new URL(baseUrl)
  const isKnown =
    base === undefined
      ? () => true
      : makeNamesService(baseUrl, allowedHosts, isLoopbackName(base.hostname.replace(/^\[|\]$/g, "")))

  /** `Origin: null`, for example of a sandboxed frame, is not a URL. */
  const isOwn = (origin: string, host: string | undefined): boolean => {
    if (origin === base?.origin) return true
    if (!URL.canParse(origin)) return false
    const { host: from, protocol } = new URL(origin)
    return from === host && (base === undefined || protocol === base.protocol)
  }

  const isOwnSite = (site: string | undefined): boolean => site === undefined || site === "same-origin"

  const isAddressed = (request: HttpServerRequest.HttpServerRequest): boolean => {
    const host = hostOf(request)
    return host === undefined || isKnown({ headers: { host } })
  }

  return {
    /**
     * Whether the request comes from a page of this origin, which a session requires of each request (SESSION-4). Browsers omit `Origin` only
     * from reads of the same origin, which they mark in `Sec-Fetch-Site`.
     */
    isOwnPage: (request: HttpServerRequest.HttpServerRequest): boolean => {
      const { headers, method } = request
      const { origin, "sec-fetch-site": site } = headers
      if (!isAddressed(request)) return false
      if (origin === undefined) return (method === "GET" || method === "HEAD") && site === "same-origin"
      return isOwn(origin, hostOf(request)) && isOwnSite(site)
    },
    /** Whether the request shows that a page of another origin makes it. A program sends neither header. */
    isForeignPage: (request: HttpServerRequest.HttpServerRequest): boolean => {
      const { origin, "sec-fetch-site": site } = request.headers
      return !isOwnSite(site) || (origin !== undefined && !(isAddressed(request) && isOwn(origin, hostOf(request))))
    },
    /** Whether the request names this service. Another name may resolve to its address (DNS rebinding). */
    isAddressed,
    /**
     * Whether a write comes from a page of this very origin. A sibling subdomain is another origin, and a request without information about
     * its origin may come from anywhere. A browser never adds `Authorization` itself.
     */
    mayWrite: (request: HttpServerRequest.HttpServerRequest): boolean => {
      const { headers, method } = request
      if (method === "GET" || method === "HEAD" || headers["authorization"] !== undefined) return true
      const { origin, "sec-fetch-site": site } = headers
      if (origin === undefined) return site === "same-origin"
      return isOwn(origin, hostOf(request)) && isOwnSite(site)
    }
  }
}
