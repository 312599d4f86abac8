import { Context } from "effect"

/**
 * Which failures an endpoint speaks : `general` the general envelope (ERROR-1); `soul-*` the bodies
 * `{ error }` (WIRE-3), each with its own words for a fault; `never` answers 200 whatever happens (WIRE-6).
 */
export type ErrorFormatName = "general" | "soul-list" | "soul-get" | "soul-create" | "never"

/** The annotation of an endpoint: `Context.get(endpoint.annotations, Surface)`. */
export const ErrorFormat = Context.Reference<ErrorFormatName>("@agent-marketplace/api/access/ErrorFormat", {
  defaultValue: () => "general"
})
