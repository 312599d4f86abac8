import { Context } from "effect"

const mebibyte = 1_048_576

/** The largest body an endpoint reads, in bytes: 1 MiB, 4 MiB where a soul's content is sent (ERROR-16). */
export const BodyLimit = Context.Reference<number>("@agent-marketplace/api/access/BodyLimit", {
  defaultValue: () => mebibyte
})

export const contentBodyLimit = 4 * mebibyte

/** Whether unknown fields of a body are refused: in the whole body (`true`), in one field of it (its name), or nowhere. */
export const ClosedBody = Context.Reference<boolean | string>("@agent-marketplace/api/access/ClosedBody", {
  defaultValue: () => false
})
