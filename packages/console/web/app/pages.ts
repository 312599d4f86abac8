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
  { path: "/", label: "Inbox", section: "owner", load: () => import("./pages/Inbox.tsx") }
]
