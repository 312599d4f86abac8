import { imageMediaTypes, maxImageBytes } from "@agent-marketplace/core/images/ItemImage"
import { maxArchiveBytes } from "@agent-marketplace/core/releases/ArchiveReader"
import { Context } from "effect"
import { OpenApi } from "effect/http-api"
import type { AccessRule } from "./Access.ts"
import { Access, ServesFrozen, StepUp } from "./Access.ts"
import type { EndpointLimit } from "./EndpointLimits.ts"
import { RateLimit, Unmetered } from "./EndpointLimits.ts"
import { LoadPriority } from "./LoadPriority.ts"
import type { Priority } from "./LoadPriority.ts"

const mebibyte = 1_048_576

/** The largest body that an endpoint reads, in bytes: 1 MiB, or 4 MiB if it contains a soul's content (ERROR-16). */
export const BodyLimit = Context.Reference<number>("@agent-marketplace/api/access/BodyLimit", {
  defaultValue: () => mebibyte
})

const contentBodyLimit = 4 * mebibyte

/** Whether unknown fields of a body are refused: in the whole body (`true`), in one field of it (its name), or nowhere. */
export const ClosedBody = Context.Reference<boolean | string>("@agent-marketplace/api/access/ClosedBody", {
  defaultValue: () => false
})

/** The content types of bodies that an endpoint accepts (ERROR-17); none if the handler checks the body, which it reads as a stream. */
export const BodyTypes = Context.Reference<ReadonlyArray<string>>("@agent-marketplace/api/access/BodyTypes", {
  defaultValue: () => ["application/json"]
})

/**
 * The error format of an endpoint. `general`: the general envelope (ERROR-1). `soul-*`: the bodies
 * `{ error }` (WIRE-3), each with its own message for a fault. `never`: always 200 (WIRE-6).
 */
export type ErrorFormatName = "general" | "soul-list" | "soul-get" | "soul-create" | "never"

/** The annotation of an endpoint: `Context.get(endpoint.annotations, ErrorFormat)`. */
export const ErrorFormat = Context.Reference<ErrorFormatName>("@agent-marketplace/api/access/ErrorFormat", {
  defaultValue: () => "general"
})

export interface OperationFacts {
  readonly summary: string
  readonly description: string
  readonly access: AccessRule
  readonly limit?: EndpointLimit
  readonly errorFormat?: ErrorFormatName
  readonly unmetered?: boolean
  /** What is refused first in an overload (LOAD-2); uploads are exempt, because they have places of their own. */
  readonly priority?: Priority | "exempt"
  /** A write that a frozen account may still make (ACCOUNT-12). */
  readonly servesFrozen?: boolean
  /** A session must have been confirmed with a passkey, if its account has one (SESSION-17). */
  readonly stepUp?: true | "operator"
  /** The body carries a soul's content. */
  readonly largeBody?: boolean
  /** Unknown fields are refused by name: in the whole body (`true`), or in the field of this name (POLICY-6). */
  readonly closedBody?: true | string
  /** The body is an archive, which the handler reads as a stream (RELEASE-1). */
  readonly archiveBody?: true
  /** The body is a picture, which the handler reads as a stream (IMAGE-1). */
  readonly imageBody?: true
  /** The body may also be Markdown (SOUL-22). */
  readonly markdownBody?: boolean
  /** The key may also come as `x-api-key` (KEY-1). */
  readonly apiKeyHeader?: boolean
}

type Security = ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>

/** Marks operations with a rate limit. The document generator reads and removes it. */
export const limitedKey = "x-limited"

/** Marks operations with an optional body. The document generator reads and removes it. */
export const optionalBodyKey = "x-optional-body"

const apiKey: Security = [{ apiKey: [] }]
const adminToken: Security = [{ adminToken: [] }]
const session: Security = [{ session: [] }]

const securityOf = ({ access, apiKeyHeader }: OperationFacts): Security => {
  switch (access._tag) {
    case "Public":
      return []
    case "Signup":
      return [{}, ...adminToken]
    case "Admin":
      return [...adminToken, ...session]
    case "Key":
      return apiKey
    case "Session":
    case "OwnSession":
    case "Person":
      return session
    case "Write":
      return [
        ...apiKey,
        ...session,
        ...(access.orAdmin ? adminToken : []),
        ...(apiKeyHeader === true ? [{ apiKeyHeader: [] }] : [])
      ]
    default:
      return [...apiKey, ...session]
  }
}

const binary = { schema: { type: "string", format: "binary" } }

/** The body of an upload in the OpenAPI document. */
const archiveBody = {
  required: true,
  description: "A tar.gz or a zip, at most 20 MiB.",
  content: { "application/gzip": binary, "application/zip": binary }
}

const imageBody = {
  required: true,
  description: "A PNG, a JPEG or a WebP, at most 5 MiB.",
  content: Object.fromEntries(imageMediaTypes.map((type) => [type, binary]))
}

const streamed =
  (maxBytes: number) =>
  (context: Context.Context<never>): Context.Context<never> =>
    context.pipe(Context.add(BodyLimit, maxBytes), Context.add(BodyTypes, []))

/** The annotations of an endpoint: for the guard in front of it and for the documents. */
export const operation = (facts: OperationFacts, optionalBody = false): Context.Context<never> =>
  OpenApi.annotations({
    summary: facts.summary,
    description: facts.description,
    override: {
      security: securityOf(facts),
      [limitedKey]: facts.limit !== undefined || facts.unmetered !== true,
      [optionalBodyKey]: optionalBody,
      ...(facts.archiveBody === true ? { requestBody: archiveBody } : {}),
      ...(facts.imageBody === true ? { requestBody: imageBody } : {})
    }
  }).pipe(
    Context.add(Access, facts.access),
    Context.add(ServesFrozen, facts.servesFrozen ?? false),
    Context.add(StepUp, facts.stepUp ?? false),
    Context.add(RateLimit, facts.limit),
    Context.add(ErrorFormat, facts.errorFormat ?? "general"),
    Context.add(Unmetered, facts.unmetered ?? false),
    Context.add(
      LoadPriority,
      facts.priority ?? (facts.archiveBody === true || facts.imageBody === true ? "exempt" : undefined)
    ),
    Context.add(ClosedBody, facts.closedBody ?? facts.access._tag === "Admin"),
    facts.largeBody === true ? Context.add(BodyLimit, contentBodyLimit) : (context) => context,
    facts.archiveBody === true ? streamed(maxArchiveBytes) : (context) => context,
    facts.imageBody === true ? streamed(maxImageBytes) : (context) => context,
    facts.markdownBody === true ? Context.add(BodyTypes, ["application/json", "text/markdown"]) : (context) => context
  )
