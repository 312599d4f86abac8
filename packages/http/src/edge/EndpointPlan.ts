import { Access } from "@agent-marketplace/api/access/Access"
import type { AccessRule } from "@agent-marketplace/api/access/Access"
import { BodyLimit } from "@agent-marketplace/api/access/BodyLimit"
import { ErrorFormat } from "@agent-marketplace/api/access/ErrorFormat"
import type { ErrorFormatName } from "@agent-marketplace/api/access/ErrorFormat"
import { RateLimit, Unmetered } from "@agent-marketplace/api/access/RateLimit"
import { Context, SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Metered } from "../limits/LimitPlan.ts"

/** What the annotations of an endpoint say, read once when the routes are built. */
export interface EndpointPlan extends Metered {
  readonly route: string
  readonly access: AccessRule
  readonly errorFormat: ErrorFormatName
  readonly maxBytes: number
  readonly takesBody: boolean
  readonly takesIdempotencyKey: boolean
  /** The names of the query parameters. */
  readonly parameters: ReadonlySet<string>
}

const parametersOf = (query: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(query) ? query.propertySignatures.map(({ name }) => String(name)) : []

export const planOf = ({ annotations, headers, method, path, payload, query }: HttpApiEndpoint.Top): EndpointPlan => ({
  route: path,
  access: Context.get(annotations, Access),
  limit: Context.get(annotations, RateLimit),
  unmetered: Context.get(annotations, Unmetered),
  errorFormat: Context.get(annotations, ErrorFormat),
  maxBytes: Context.get(annotations, BodyLimit),
  takesBody: payload.size > 0 && method !== "GET",
  takesIdempotencyKey: headers !== undefined,
  parameters: new Set(query === undefined ? [] : parametersOf(query.ast))
})

/** Whether the operator's token opens the endpoint. */
export const takesOperator = ({ access }: EndpointPlan): boolean =>
  access._tag === "Admin" || access._tag === "Signup" || (access._tag === "Write" && access.orAdmin)
