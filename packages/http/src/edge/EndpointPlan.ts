import { Access, ServesFrozen, StepUp } from "@agent-marketplace/api/access/Access"
import type { AccessRule } from "@agent-marketplace/api/access/Access"
import { BodyLimit, BodyTypes, ClosedBody, ErrorFormat } from "@agent-marketplace/api/access/Operation"
import type { ErrorFormatName } from "@agent-marketplace/api/access/Operation"
import { ControlOperation, RateLimit, Unmetered } from "@agent-marketplace/api/access/EndpointLimits"
import { LoadPriority } from "@agent-marketplace/api/access/LoadPriority"
import type { Priority } from "@agent-marketplace/api/access/LoadPriority"
import { Context, Schema, SchemaAST } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Metered } from "../limits/TierLimits.ts"

/** The annotations of an endpoint, read once when the routes are built. */
export interface EndpointPlan extends Metered {
  readonly method: string
  readonly route: string
  readonly access: AccessRule
  /** Whether frozen accounts and agents may call it (ACCOUNT-12). */
  readonly servesFrozen: boolean
  /** Whether a session must have been confirmed with a passkey (SESSION-17). */
  readonly stepUp: boolean | "operator"
  /** The schema of a body whose unknown fields are refused (OPERATOR-24, POLICY-6), and the field in which they are; "" means the whole body. */
  readonly closedBody: { readonly schema: Schema.Top; readonly within: string } | undefined
  /** What is refused first in an overload (LOAD-2). */
  readonly priority: Priority | "exempt"
  readonly errorFormat: ErrorFormatName
  readonly maxBytes: number
  readonly bodyTypes: ReadonlyArray<string>
  readonly takesBody: boolean
  /** Whether a body is checked and then ignored. */
  readonly ignoresBody: boolean
  /** The names of the fields of a body in JSON; undefined where any body is accepted. */
  readonly fields: ReadonlySet<string> | undefined
  readonly takesIdempotencyKey: boolean
  /** The names of the query parameters. */
  readonly parameters: ReadonlySet<string>
}

/** The body of an operation without fields of its own. */
const noFields = Schema.Struct({})

const closedBodyOf = (closed: boolean | string, schema: Schema.Top = noFields): EndpointPlan["closedBody"] =>
  closed === false ? undefined : { schema, within: closed === true ? "" : closed }

const namesOf = (struct: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(struct) ? struct.propertySignatures.map(({ name }) => String(name)) : []

/** The schema of a body in JSON. */
const bodyOf = (payload: HttpApiEndpoint.Top["payload"]): Schema.Top | undefined =>
  [...payload.values()]
    .flatMap(({ schemas }) => schemas)
    .find(({ ast }) => SchemaAST.isObjects(SchemaAST.toEncoded(ast)))

const fieldsOf = (body: Schema.Top | undefined): ReadonlySet<string> | undefined =>
  body === undefined ? undefined : new Set(namesOf(SchemaAST.toEncoded(body.ast)))

/** A group of endpoints, of which only the annotations matter here. */
export type Annotated = Pick<HttpApiGroup.Top, "annotations">

const isControl = (annotations: Context.Context<never>, group: Annotated): boolean =>
  Context.get(annotations, ControlOperation) || Context.get(group.annotations, ControlOperation)

/** Without a priority of their own, operations of an owner's control and of the operator come first, and all others last. */
const priorityOf = (annotations: Context.Context<never>, group: Annotated): EndpointPlan["priority"] => {
  const own = Context.get(annotations, LoadPriority) ?? Context.get(group.annotations, LoadPriority)
  if (own !== undefined) return own
  return isControl(annotations, group) || Context.get(annotations, Access)._tag === "Admin" ? "control" : "read"
}

const takesBodyOf = ({ annotations, method, payload }: HttpApiEndpoint.Top): boolean =>
  method !== "GET" && (payload.size > 0 || Context.get(annotations, ClosedBody) === true)

export const planOf = (endpoint: HttpApiEndpoint.Top, group: Annotated): EndpointPlan => {
  const { annotations, headers, method, path, payload, query } = endpoint
  const takesBody = takesBodyOf(endpoint)
  const bodyTypes = Context.get(annotations, BodyTypes)
  return {
    method,
    route: path,
    access: Context.get(annotations, Access),
    servesFrozen: method === "GET" || Context.get(annotations, ServesFrozen),
    stepUp: Context.get(annotations, StepUp),
    closedBody: closedBodyOf(Context.get(annotations, ClosedBody), bodyOf(payload)),
    limit: Context.get(annotations, RateLimit),
    unmetered: Context.get(annotations, Unmetered),
    control: isControl(annotations, group),
    priority: priorityOf(annotations, group),
    errorFormat: Context.get(annotations, ErrorFormat),
    maxBytes: Context.get(annotations, BodyLimit),
    bodyTypes,
    takesBody,
    ignoresBody: method !== "GET" && !takesBody && bodyTypes.length > 0,
    fields: fieldsOf(bodyOf(payload)),
    takesIdempotencyKey: headers !== undefined && namesOf(headers.ast).includes("idempotency-key"),
    parameters: new Set(query === undefined ? [] : namesOf(query.ast))
  }
}

/** Whether the operator's token opens the endpoint. */
export const takesOperator = ({ access }: EndpointPlan): boolean =>
  access._tag === "Admin" || access._tag === "Signup" || (access._tag === "Write" && access.orAdmin)
