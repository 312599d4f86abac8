import { Context } from "effect"

/** The content types of bodies that an endpoint reads (ERROR-17); a body without a content type counts as the first. */
export const BodyTypes = Context.Reference<ReadonlyArray<string>>("@agent-marketplace/api/access/BodyTypes", {
  defaultValue: () => ["application/json"]
})
