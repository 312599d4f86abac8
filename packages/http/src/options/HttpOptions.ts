import { Context } from "effect"
import type { Redacted } from "effect"
import type { CorsOrigins } from "../edge/Cors.ts"

/** The decisions of an operator about the HTTP API (CONFIG-6, CONFIG-8, SYSTEM-4). */
export class HttpOptions extends Context.Service<
  HttpOptions,
  {
    /** Who may create an account: everybody, or the operator. */
    readonly signup: "open" | "admin"
    /** Null closes all operations of the operator. */
    readonly adminToken: Redacted.Redacted | null
    /** Guards `/metrics` where it is set. */
    readonly metricsToken: Redacted.Redacted | null
    /** Whether the operator may move the market's time. */
    readonly testClock: boolean
    /** Addresses of reverse proxies whose `X-Forwarded-For` is believed. */
    readonly trustedProxies: ReadonlyArray<string>
    /** The market's public URL. If it is HTTPS, responses carry HSTS. */
    readonly baseUrl?: string | undefined
    /** The origins whose pages may read responses; all origins by default. */
    readonly corsOrigins?: CorsOrigins | undefined
    /** Names of this service besides the host of `baseUrl`. */
    readonly allowedHosts?: ReadonlyArray<string> | undefined
    /** The server listens on loopback only: requests that name another host are refused (ERROR-18). */
    readonly loopbackOnly?: boolean | undefined
    /** Whether applications may register themselves with OAuth (CONFIG-17); default: no. */
    readonly openRegistration?: boolean | undefined
    /** Whether requests are refused in an overload (LOAD-7); default: yes. */
    readonly shedsLoad?: boolean | undefined
    /** A line for each request, only for those with a server fault, or none. */
    readonly requestLog: "all" | "faults" | "none"
    readonly logFormat: "pretty" | "json"
  }
>()("@agent-marketplace/http/options/HttpOptions") {}
