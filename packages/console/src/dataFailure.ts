import { HttpServerResponse } from "effect/http"

const codes: Readonly<Record<number, string>> = {
  400: "VALIDATION_ERROR",
  401: "INVALID_API_KEY",
  403: "INSUFFICIENT_PERMISSIONS",
  404: "NOT_FOUND",
  409: "CONFLICT",
  429: "RATE_LIMIT_EXCEEDED",
  503: "SERVICE_UNAVAILABLE"
}

/** A failure of a route that returns data, in the API's envelope (SHOP-5). */
export const dataFailure = ({
  description,
  status
}: {
  readonly status: number
  readonly description: string
}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(
    { success: false, error: { code: codes[status] ?? "INTERNAL_ERROR", message: description, details: {} } },
    { status }
  )
