import { Context } from "effect"

/** An overloaded process refuses `read` first and `control` last (LOAD-2). `read` is everything that is neither control nor money. */
export const priorities = ["control", "money", "read"] as const

export type Priority = (typeof priorities)[number]

/**
 * The priority of an endpoint: `Context.get(endpoint.annotations, LoadPriority)`. `exempt` endpoints are never refused and take no place:
 * health, streams, uploads with places of their own, and endpoints whose inner calls are counted. If absent, it follows from the
 * endpoint's other annotations.
 */
export const LoadPriority = Context.Reference<Priority | "exempt" | undefined>(
  "@agent-marketplace/api/access/LoadPriority",
  { defaultValue: () => undefined }
)
