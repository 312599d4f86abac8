import type { ErrorFormatName } from "../access/ErrorFormat.ts"
import type { Failure } from "./WireError.ts"
import { toWire } from "./WireError.ts"

/** A failure of the surface with `{ error }` bodies (WIRE-3), ready to be sent. */
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

const message = (error: Failure, errorFormat: SoulErrorFormat, otherwise: string): string => {
  switch (error._tag) {
    case "ValidationFailed":
      return error.issues.map(({ message: text, path }) => (path === "" ? text : `${path}: ${text}`)).join("; ")
    case "Forbidden":
      return "API key does not have seller permissions"
    case "AgentNotClaimed":
      return "Agent not claimed - cannot create SOULs"
    case "InternalFault":
      return faultMessages[errorFormat]
    default:
      return otherwise
  }
}

/**
 * Status and words exactly as SOUL-25, SOUL-26, SOUL-27, SOUL-28, SOUL-29 and WIRE-15 give them. A store that is away is not told here but in the
 * general envelope, as everywhere.
 */
export const toSoulError = (error: Failure, errorFormat: SoulErrorFormat): SoulError => {
  const general = toWire(error, "")
  return { status: general.status, body: { error: message(error, errorFormat, general.body.error.message) } }
}
