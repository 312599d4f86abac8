import type { HostUser } from "@agent-marketplace/core/identity/HostUsers"
import { Context } from "effect"

/** The caller of a request made in process: the operator, a user of the host, or the key that the request carries. */
export type Insider =
  | { readonly _tag: "Operator"; /** For the action log. */ readonly name?: string | undefined }
  | { readonly _tag: "User"; readonly user: HostUser }
  | { readonly _tag: "Key" }

/** Marks a request that did not come over a network; limits do not count it. No content of a request can set it. */
export const InProcess = Context.Reference<Insider | null>("@agent-marketplace/http/edge/InProcess", {
  defaultValue: () => null
})
