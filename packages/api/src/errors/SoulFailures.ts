import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { ResponseField } from "../wire/ResponseField.ts"

export type SoulFailureSchema = Schema.Codec<{ readonly error: string }>

const failure = (status: number, name: string, description: string, message: string): SoulFailureSchema =>
  Schema.Struct({ error: ResponseField.text("What went wrong, for people.", message) })
    .annotate({ identifier: `Soul${name}`, description })
    .pipe(HttpApiSchema.status(status))

const byStatus = {
  invalid: failure(400, "Invalid", "A field or parameter is not valid.", "limit: must be a whole number from 1 to 100"),
  draft: failure(
    400,
    "DraftInvalid",
    "A required field is missing, a field breaks its rule, or the content is not a valid SOUL.md.",
    "Missing required fields: name, description, content"
  ),
  unauthorized: failure(
    401,
    "Unauthorized",
    "The key is missing, malformed, unknown, expired or deactivated.",
    "Invalid or inactive API key"
  ),
  forbidden: failure(
    403,
    "Forbidden",
    "The key lacks SELLER or FULL, or belongs to an unclaimed agent.",
    "API key does not have seller permissions"
  ),
  notFound: failure(404, "NotFoundError", "No such soul, or the caller may not see it.", "Soul not found"),
  similar: failure(
    409,
    "NameTooSimilar",
    "The name is spelled differently from that of another author's item, and looks the same.",
    "The name looks like that of another creator's item; choose one that differs clearly"
  ),
  tooLarge: failure(413, "TooLarge", "The body is over 4 MiB.", "The body must be at most 4194304 bytes"),
  mediaType: failure(
    415,
    "MediaType",
    "The body is not JSON.",
    "The body must be JSON (Content-Type: application/json)"
  ),
  limited: failure(
    429,
    "RateLimited",
    "Too many requests; `Retry-After` is the number of seconds to wait.",
    "Rate limit exceeded"
  ),
  fault: failure(500, "Fault", "An unexpected server error; the request may be retried.", "Failed to create soul"),
  unavailable: failure(
    503,
    "Unavailable",
    "The database is unavailable; `Retry-After` is the number of seconds to wait.",
    "Service unavailable"
  )
} as const

const pick = (...names: ReadonlyArray<keyof typeof byStatus>) => names.map((name) => byStatus[name])

/** The failures with `{ error }` bodies (WIRE-3), for an endpoint's `failures`. */
export const soulFailures = {
  list: pick("invalid", "unauthorized", "forbidden", "limited", "fault", "unavailable"),
  get: pick("invalid", "unauthorized", "forbidden", "notFound", "limited", "fault", "unavailable"),
  create: pick("draft", "unauthorized", "forbidden", "similar", "tooLarge", "mediaType", "limited", "fault")
} as const
