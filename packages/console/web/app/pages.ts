import type { ComponentType } from "react"

/** A page of the console and its place in the navigation. */
export interface ConsolePage {
  /** Below `/console`. */
  readonly path: string
  /** In the navigation; pages without a label are reached from others. */
  readonly label?: string
  readonly section: "owner" | "seller" | "operator"
  /** Loaded when the page is first opened. */
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

export const sections = [
  ["owner", "Your agents"],
  ["seller", "Selling"],
  ["operator", "Operator"]
] as const

/** Every page of the console. */
export const pages: ReadonlyArray<ConsolePage> = [
  { path: "/", label: "Inbox", section: "owner", load: () => import("./pages/Inbox.tsx") },
  { path: "/sign-up", section: "owner", load: () => import("./pages/SignUp.tsx") },
  { path: "/items", label: "Items", section: "seller", load: () => import("./pages/Items.tsx") },
  { path: "/items/new", section: "seller", load: () => import("./pages/ListingForm.tsx") },
  { path: "/items/$id", section: "seller", load: () => import("./pages/Listing.tsx") },
  { path: "/items/$id/edit", section: "seller", load: () => import("./pages/ListingForm.tsx") },
  { path: "/souls/new", section: "seller", load: () => import("./pages/SoulForm.tsx") },
  { path: "/souls/$slug", section: "seller", load: () => import("./pages/Soul.tsx") },
  { path: "/souls/$slug/edit", section: "seller", load: () => import("./pages/SoulForm.tsx") },
  { path: "/sales", label: "Sales", section: "seller", load: () => import("./pages/Sales.tsx") },
  { path: "/reviews", label: "Reviews", section: "seller", load: () => import("./pages/Reviews.tsx") },
  { path: "/domains", label: "Domains", section: "seller", load: () => import("./pages/Domains.tsx") }
]
