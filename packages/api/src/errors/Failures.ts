import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import type { OperationFacts } from "../access/Operation.ts"
import { field } from "../wire/Field.ts"
import type { ErrorCode } from "./ErrorCode.ts"
import { statusOf } from "./ErrorCode.ts"
import { detailsOf, noDetails } from "./ErrorDetails.ts"
import { meanings } from "./ErrorMeanings.ts"
import type { WireError } from "./WireError.ts"

export type FailureSchema = Schema.Codec<WireError["body"]>

const pascal = (code: string): string =>
  code
    .toLowerCase()
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")

/** The JSON of one code. Failures are distinguished by the literal in `code`, without `_tag` (ERROR-1). */
const schemaOf = (code: ErrorCode): FailureSchema => {
  const [description, message] = meanings[code]
  const error = Schema.Struct({
    code: field(Schema.Literal(code), "What went wrong, for programs.", code),
    message: field(Schema.String, "What went wrong, for people.", message),
    details: detailsOf[code] ?? noDetails
  }).annotate({ description: "What went wrong." })
  return Schema.Struct({
    success: field(Schema.Literal(false), "Always false.", false),
    error
  })
    .annotate({ identifier: `${pascal(code)}Failure`, description })
    .pipe(HttpApiSchema.status(statusOf[code])) as unknown as FailureSchema
}

const codes = Object.keys(statusOf) as ReadonlyArray<ErrorCode>
const schemas = new Map(codes.map((code) => [code, schemaOf(code)] as const))

/** Each code once, in the order of the table, so that the documents do not depend on the order in which an endpoint lists them. */
const pick = (wanted: ReadonlyArray<ErrorCode>): ReadonlyArray<FailureSchema> => {
  const chosen = new Set(wanted)
  return codes.flatMap((code) => (chosen.has(code) ? (schemas.get(code) ?? []) : []))
}

const always = ["VALIDATION_ERROR", "RATE_LIMIT_EXCEEDED", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"] as const
const keyed = [...always, "INVALID_API_KEY", "INSUFFICIENT_PERMISSIONS", "AGENT_NOT_CLAIMED"] as const
const frozen = ["ACCOUNT_FROZEN", "AGENT_FROZEN"] as const
const body = ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const

interface EndpointForm {
  readonly hasBody: boolean
  readonly writes: boolean
}

/**
 * The codes that follow from the access rule of an endpoint, from whether it has a body and whether it writes. Every write checks the body, also one that
 * it ignores.
 */
const usualCodes = (facts: OperationFacts, { hasBody, writes }: EndpointForm): ReadonlyArray<ErrorCode> => {
  const { access, servesFrozen, stepUp, unmetered } = facts
  const ofBody: ReadonlyArray<ErrorCode> = [
    ...(writes ? body : []),
    ...(stepUp === undefined ? [] : (["STEP_UP_REQUIRED"] as const))
  ]
  switch (access._tag) {
    case "Public":
    case "Signup":
      return unmetered === true ? ["INTERNAL_ERROR", "SERVICE_UNAVAILABLE"] : [...always, ...ofBody]
    // A session's cookie needs more than a key does: the request must come from a page of the service.
    case "AnyKey":
    case "Key":
      return [...always, ...ofBody, "INVALID_API_KEY", "INSUFFICIENT_PERMISSIONS"]
    case "Admin":
      return [...always, ...ofBody, ...body, "INVALID_API_KEY", "INSUFFICIENT_PERMISSIONS"]
    default:
      return [...keyed, ...ofBody, ...(hasBody || (writes && servesFrozen !== true) ? frozen : [])]
  }
}

/** The failures of an endpoint, for its `error`: the usual ones and those of the further codes. */
export const failuresOf = (
  facts: OperationFacts,
  form: EndpointForm,
  more: ReadonlyArray<ErrorCode>
): ReadonlyArray<FailureSchema> => pick([...usualCodes(facts, form), ...more])
