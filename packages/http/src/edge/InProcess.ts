import type { HostUser } from "@agent-marketplace/core/identity/HostUsers"
import { Context } from "effect"

/** For whom the process that holds the market calls it: its operator, one of its users, or whoever's key the request carries. */
export type Insider =
  { readonly _tag: "Operator" } | { readonly _tag: "User"; readonly user: HostUser } | { readonly _tag: "Key" }

/** Set where a request never came over a network; limits do not count it. Nothing that a request carries sets it. */
export const InProcess = Context.Reference<Insider | null>("@agent-marketplace/http/edge/InProcess", {
  defaultValue: () => null
})
