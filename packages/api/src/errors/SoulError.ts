import type { ErrorFormatName } from "../access/Operation.ts"
import type { Failure } from "./WireError.ts"
import { toWire } from "./WireError.ts"

/** A failure with an `{ error }` body (WIRE-3), ready to be sent. */
export interface SoulError {
  readonly status: number
  readonly body: { readonly error: string }
}

export type SoulErrorFormat = Extract<ErrorFormatName, `soul-${string}`>

const faultMessages: Readonly<Record<SoulErrorFormat, string>> = {
  "soul-list": "Failed to fetch souls",
  "soul-get": "Failed to fetch soul",
  "soul-create": "Failed to create soul"
}

/** The messages of SOUL-23, SOUL-25, SOUL-26, SOUL-27, SOUL-28, SOUL-29 and WIRE-15; a freeze and a quota keep their general messages (ERROR-23). */
const message = (error: Failure, errorFormat: SoulErrorFormat, otherwise: string): string => {
  switch (error._tag) {
    case "ValidationFailed":
      return error.issues.map(({ message: text, path }) => (path === "" ? text : `${path}: ${text}`)).join("; ")
    case "InvalidApiKey":
      return error.reason === "missing" ? "API key required" : "Invalid or inactive API key"
    case "Forbidden":
      return "API key does not have seller permissions"
    case "AgentNotClaimed":
      return errorFormat === "soul-create" ? "Agent not claimed - cannot create SOULs" : "Agent not claimed"
    case "InternalFault":
      return faultMessages[errorFormat]
    default:
      return otherwise
  }
}

const isUnavailable = (error: Failure): boolean =>
  error._tag === "StoreUnavailable" || error._tag === "ChainUnavailable" || error._tag === "ServiceOverloaded"

/** While the store is unavailable or the service is overloaded, the error of creating a soul keeps its message; that of reading reports the outage (WIRE-4, LOAD-5). */
const unavailable = (errorFormat: SoulErrorFormat): SoulError =>
  errorFormat === "soul-create"
    ? { status: 500, body: { error: faultMessages[errorFormat] } }
    : { status: 503, body: { error: "Service unavailable" } }

/** Status and message exactly as WIRE-3 and WIRE-4 state them. */
export const toSoulError = (error: Failure, errorFormat: SoulErrorFormat): SoulError => {
  if (isUnavailable(error)) return unavailable(errorFormat)
  const general = toWire(error, "")
  return { status: general.status, body: { error: message(error, errorFormat, general.body.error.message) } }
}
