import type { Schema } from "effect"
import type { HttpMethod, HttpRouter } from "effect/http"
import { HttpApiEndpoint } from "effect/http-api"
import type { ErrorCode } from "../errors/ErrorCode.ts"
import type { FailureSchema } from "../errors/Failures.ts"
import { failuresOf } from "../errors/Failures.ts"
import type { SoulFailureSchema } from "../errors/SoulFailures.ts"
import type { OperationFacts } from "./Operation.ts"
import { operation } from "./Operation.ts"

const make =
  <Method extends HttpMethod.HttpMethod>(method: Method) =>
  <
    const Identifier extends string,
    const Path extends HttpRouter.PathInput,
    const Success extends HttpApiEndpoint.SuccessConstraint,
    Params extends Schema.Struct.Fields = never,
    Query extends Schema.Struct.Fields = never,
    Headers extends Schema.Struct.Fields = never,
    Payload extends HttpApiEndpoint.PayloadConstraintCodecs<Method> = never
  >(
    identifier: Identifier,
    path: Path,
    options: OperationFacts & {
      readonly params?: Params
      readonly query?: Query
      readonly headers?: Headers
      /** The body; with `HttpApiSchema.NoContent` in an array if it is optional. */
      readonly payload?: Payload
      readonly success: Success
      /** The codes in addition to those that follow from the access rule and the body. */
      readonly errors?: ReadonlyArray<ErrorCode>
      /** The failures of an endpoint without the general envelope, instead of the codes. */
      readonly failures?: ReadonlyArray<SoulFailureSchema>
    }
  ) => {
    const { errors = [], failures, headers, params, payload, query, success } = options
    const error: ReadonlyArray<FailureSchema | SoulFailureSchema> =
      failures ?? failuresOf(options, { hasBody: payload !== undefined, writes: method !== "GET" }, errors)
    return HttpApiEndpoint.make(method)(identifier, path, {
      params,
      query,
      headers,
      payload,
      success,
      error
    }).annotateMerge(operation(options, Array.isArray(payload)))
  }

/** Endpoints, each with its schemas, its access rule and its documentation. */
export const endpoint = {
  get: make("GET"),
  post: make("POST"),
  put: make("PUT"),
  patch: make("PATCH"),
  delete: make("DELETE")
} as const
