import { InternalFault, RateLimited } from "@agent-marketplace/api/errors/HttpFault"
import { toSoulError } from "@agent-marketplace/api/errors/SoulError"
import { toWire } from "@agent-marketplace/api/errors/WireError"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { WebhookTransport } from "@agent-marketplace/core/webhooks/WebhookTransport"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { RequestFault, WebhookFault } from "./Harness.ts"

const oneOf = (value: unknown, ...values: ReadonlyArray<unknown>) => values.includes(value)
const between = (value: unknown, least: number, most: number) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most
const isText = (value: unknown) => typeof value === "string" && value !== ""

type Rule = readonly [isValid: (value: unknown) => boolean, text: string]

const times: Rule = [(value) => between(value, 1, 1000), "must be a whole number from 1 to 1000"]

const requestRules: Readonly<Record<keyof RequestFault, Rule>> = {
  status: [(value) => oneOf(value, 429, 500, 503), "must be 429, 500 or 503"],
  times,
  method: [isText, "must be a method such as POST"],
  path: [(value) => isText(value) && String(value).startsWith("/"), "must start with /"],
  retryAfter: [(value) => between(value, 0, 86_400), "must be a whole number of seconds from 0 to 86400"]
}

const webhookRules: Readonly<Record<keyof WebhookFault, Rule>> = {
  times,
  status: [(value) => between(value, 300, 599), "must be a whole number from 300 to 599"]
}

/** A test suite may be plain JavaScript, or send JSON: wrong fields are refused instead of ignored. */
const checked = <F extends object>(fault: F, rules: Readonly<Record<string, Rule>>): F => {
  for (const [name, value] of Object.entries(fault)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) throw new RangeError(`${name} is not a field of this fault`)
    if (value !== undefined && !rule[0](value)) throw new RangeError(`${name} ${rule[1]}`)
  }
  return fault
}

const feed = "/api/activity/live"

const isSoulPath = (path: string): boolean =>
  path === "/api/souls" || path.startsWith("/api/souls/") || path === "/api/v1/souls/create"

const failureOf = ({ retryAfter = 1, status }: RequestFault) => {
  if (status === 500) return new InternalFault()
  if (status === 503) return new StoreUnavailable({})
  return new RateLimited({ resetAt: Date.now() + retryAfter * 1000, limit: 100, window: "1h" })
}

/** The body in the envelope of the path (WIRE-3, ERROR-1). */
const bodyOf = (fault: RequestFault, path: string, requestId: string): object => {
  if (!isSoulPath(path)) return toWire(failureOf(fault), requestId).body
  if (fault.status === 503) return { error: "Service unavailable" }
  return toSoulError(failureOf(fault), path.endsWith("/create") ? "soul-create" : "soul-list").body
}

const headersOf = ({ retryAfter = 1, status }: RequestFault): Record<string, string> => {
  if (status === 500) return {}
  if (status === 503) return { "retry-after": String(retryAfter) }
  const reset = Math.ceil(Date.now() / 1000) + retryAfter
  return {
    "retry-after": String(retryAfter),
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(reset)
  }
}

/** The faults that are set, each with the number of times that it still applies. */
export class Faults {
  #requests: Array<{ readonly fault: RequestFault; left: number }> = []
  #webhooks: Array<{ readonly fault: WebhookFault; left: number }> = []

  failRequests(fault: RequestFault): void {
    checked(fault, requestRules)
    if (fault.status === undefined) throw new RangeError(`status ${requestRules.status[1]}`)
    this.#requests.push({ fault, left: fault.times ?? 1 })
  }

  failWebhooks(fault: WebhookFault): void {
    checked(fault, webhookRules)
    this.#webhooks.push({ fault, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#requests = []
    this.#webhooks = []
  }

  /** Responds to a request with the first matching fault; false if there is none. */
  respond(request: IncomingMessage, response: ServerResponse): boolean {
    const [path = ""] = (request.url ?? "").split("?")
    const found = this.#requests.find(
      ({ fault, left }) =>
        left > 0 &&
        path !== feed &&
        path.startsWith(fault.path ?? "/") &&
        (fault.method === undefined || fault.method.toUpperCase() === request.method)
    )
    if (found === undefined) return false
    found.left -= 1
    const requestId = randomUUID()
    const headers = { "content-type": "application/json", "x-request-id": requestId, ...headersOf(found.fault) }
    request.resume()
    response.writeHead(found.fault.status, headers).end(JSON.stringify(bodyOf(found.fault, path, requestId)))
    return true
  }

  /** The transport of webhooks, with the faults in front of it. */
  readonly transport = Layer.effect(
    WebhookTransport,
    Effect.map(WebhookTransport, ({ send }) => ({
      send: (request) =>
        Effect.suspend(() => {
          const found = this.#webhooks.find(({ left }) => left > 0)
          if (found === undefined) return send(request)
          found.left -= 1
          const { status } = found.fault
          return status === undefined
            ? Effect.succeed({ _tag: "Failed", error: "connection refused", durationMs: 1 } as const)
            : Effect.succeed({
                _tag: "Answered",
                statusCode: status,
                retryAfter: null,
                body: "",
                durationMs: 1
              } as const)
        })
    }))
  )
}
