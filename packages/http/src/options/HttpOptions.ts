import { Context } from "effect"
import type { Redacted } from "effect"

/** What an operator decides about the HTTP side (CONFIG-6, CONFIG-8, SYSTEM-4). */
export class HttpOptions extends Context.Service<
  HttpOptions,
  {
    /** Who may make an account: everybody, or the operator. */
    readonly signup: "open" | "admin"
    /** Null closes everything that is the operator's. */
    readonly adminToken: Redacted.Redacted | null
    /** Guards `/metrics` where it is set. */
    readonly metricsToken: Redacted.Redacted | null
    /** Whether the operator may move the market's time. */
    readonly testClock: boolean
    /** Addresses of reverse proxies whose `X-Forwarded-For` is believed. */
    readonly trustedProxies: ReadonlyArray<string>
    /** One line for each request, only for those that failed on our side, or none. */
    readonly requestLog: "all" | "faults" | "none"
    readonly logFormat: "pretty" | "json"
  }
>()("@agent-marketplace/http/options/HttpOptions") {}
