import { Context } from "effect"

/**
 * Which failures an endpoint speaks (contract 1): `general` the envelope of specification 7.2; `soul-*` the bodies
 * `{ error }` of specification 7.1, each with its own words for a fault; `never` answers 200 whatever happens.
 */
export type ErrorFormatName = "general" | "soul-list" | "soul-get" | "soul-create" | "never"

/** The annotation of an endpoint: `Context.get(endpoint.annotations, Surface)`. */
export const ErrorFormat = Context.Reference<ErrorFormatName>("@agent-marketplace/api/access/ErrorFormat", {
  defaultValue: () => "general"
})
