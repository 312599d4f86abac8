import type { JsonObject } from "./Json.ts"

const header = (description: string, type: "string" | "integer", example: string | number) => ({
  description,
  schema: { type },
  example
})

/** The headers of responses (HEADER-1, IDEMPOTENCY-1, LIMIT-10). */
export const headers: JsonObject = {
  "X-Request-Id": header("The id of the request. Quote it when you report a problem.", "string", "req_8f14e45f"),
  "X-RateLimit-Limit": header("How many requests the tightest limit that applied allows.", "integer", 100),
  "X-RateLimit-Remaining": header("How many requests are left in the window.", "integer", 99),
  "X-RateLimit-Reset": header("When the window ends, in seconds since the epoch.", "integer", 1736942460),
  "Retry-After": header("The number of seconds to wait before the next attempt.", "integer", 42),
  "Idempotent-Replayed": header(
    "`true` if the response repeats the one to an earlier request with the same Idempotency-Key.",
    "string",
    "true"
  ),
  Allow: header("The methods of this path.", "string", "GET, POST")
}

const ref = (name: string): readonly [string, JsonObject] => [name, { $ref: `#/components/headers/${name}` }]

const rateLimit = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]

/** The headers of one response of an operation. */
export const headersOf = (
  status: string,
  operation: { readonly limited: boolean; readonly idempotent: boolean }
): JsonObject =>
  Object.fromEntries([
    ref("X-Request-Id"),
    ...(operation.limited ? rateLimit.map(ref) : []),
    ...(status === "429" ? [ref("Retry-After")] : []),
    ...(operation.idempotent && status.startsWith("2") ? [ref("Idempotent-Replayed")] : [])
  ])
