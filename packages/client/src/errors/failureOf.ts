import { MarketplaceError } from "./MarketplaceError.ts"

const whole = (text: string | null): number | undefined =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined

/** The details of a 429 from its headers, for bodies without details: those of the SOUL error format (WIRE-15). */
const rateLimitOf = (headers: Headers): Readonly<Record<string, unknown>> => {
  const limit = whole(headers.get("x-ratelimit-limit"))
  const reset = whole(headers.get("x-ratelimit-reset"))
  return {
    ...(reset === undefined ? {} : { resetAt: new Date(reset * 1000).toISOString() }),
    ...(limit === undefined ? {} : { limit })
  }
}

type Fields = Readonly<Record<string, unknown>>

/** For bodies without a code: those of the SOUL error format (WIRE-3). */
const codes: Readonly<Record<number, string>> = {
  400: "VALIDATION_ERROR",
  401: "INVALID_API_KEY",
  403: "INSUFFICIENT_PERMISSIONS",
  404: "SOUL_NOT_FOUND",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "RATE_LIMIT_EXCEEDED",
  500: "INTERNAL_ERROR",
  503: "SERVICE_UNAVAILABLE"
}

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {})

const codeOf = (statusCode: number, message: string): string =>
  message.startsWith("Agent not claimed") ? "AGENT_NOT_CLAIMED" : (codes[statusCode] ?? "INTERNAL_ERROR")

/** The error of an unsuccessful response: the general envelope, `{ error: "<message>" }`, or the response of a proxy in between. */
export const failureOf = (statusCode: number, response: unknown, headers: Headers): MarketplaceError => {
  const { error } = fieldsOf(response)
  const common = { statusCode, response, requestId: headers.get("x-request-id") ?? undefined }
  if (typeof error === "string") {
    const details = statusCode === 429 ? rateLimitOf(headers) : {}
    return new MarketplaceError({ ...common, message: error, code: codeOf(statusCode, error), details })
  }
  const { code, details, message } = fieldsOf(error)
  return new MarketplaceError({
    ...common,
    message: typeof message === "string" ? message : `the response was HTTP ${statusCode}`,
    code: typeof code === "string" ? code : "INVALID_RESPONSE",
    details: fieldsOf(details)
  })
}
