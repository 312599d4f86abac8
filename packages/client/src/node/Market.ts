import type { Marketplace } from "../Marketplace.ts"

/** The market's operations that installs need. */
export type Market = Pick<
  Marketplace,
  "advisories" | "agents" | "listings" | "purchases" | "releases" | "signing" | "skills" | "souls"
>
