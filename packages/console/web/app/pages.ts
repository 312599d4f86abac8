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

/** Every page of the console. A test visits each for accessibility, narrow windows, large text and reduced motion (CONSOLE-76, CONSOLE-79, CONSOLE-80). */
export const pages: ReadonlyArray<ConsolePage> = [
  { path: "/", label: "Inbox", section: "owner", load: () => import("./pages/Inbox.tsx") },
  { path: "/wallet", label: "Wallet", section: "owner", load: () => import("./pages/Wallet.tsx") },
  { path: "/spending", label: "Spending", section: "owner", load: () => import("./pages/Spending.tsx") },
  { path: "/agents", label: "Agents", section: "owner", load: () => import("./pages/Agents.tsx") },
  { path: "/agents/$id", section: "owner", load: () => import("./pages/Agent.tsx") },
  { path: "/limits", label: "Limits", section: "owner", load: () => import("./pages/Limits.tsx") },
  { path: "/applications", label: "Applications", section: "owner", load: () => import("./pages/Applications.tsx") },
  { path: "/purchases", label: "Purchases", section: "owner", load: () => import("./pages/Purchases.tsx") },
  { path: "/purchases/$id", section: "owner", load: () => import("./pages/Purchase.tsx") },
  { path: "/subscriptions", label: "Subscriptions", section: "owner", load: () => import("./pages/Subscriptions.tsx") },
  { path: "/buy/$id", section: "owner", load: () => import("./pages/Buy.tsx") },
  { path: "/webhooks", label: "Webhooks", section: "owner", load: () => import("./pages/Webhooks.tsx") },
  { path: "/webhooks/$id", section: "owner", load: () => import("./pages/Webhook.tsx") },
  {
    path: "/notifications",
    label: "Notifications",
    section: "owner",
    load: () => import("./pages/Notifications.tsx")
  },
  { path: "/keys", label: "API keys", section: "owner", load: () => import("./pages/Keys.tsx") },
  { path: "/security", label: "Sign-in", section: "owner", load: () => import("./pages/Security.tsx") },
  { path: "/usage", label: "Usage", section: "owner", load: () => import("./pages/Usage.tsx") },
  { path: "/first-run", section: "owner", load: () => import("./pages/FirstRun.tsx") },
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
  { path: "/domains", label: "Domains", section: "seller", load: () => import("./pages/Domains.tsx") },
  { path: "/consent", section: "owner", load: () => import("./pages/Consent.tsx") },
  { path: "/operator/queue", label: "Queue", section: "operator", load: () => import("./pages/operator/Queue.tsx") },
  {
    path: "/operator/accounts",
    label: "Accounts",
    section: "operator",
    load: () => import("./pages/operator/Accounts.tsx")
  },
  { path: "/operator/accounts/$id", section: "operator", load: () => import("./pages/operator/Account.tsx") },
  {
    path: "/operator/items",
    label: "All items",
    section: "operator",
    load: () => import("./pages/operator/Items.tsx")
  },
  { path: "/operator/items/$id", section: "operator", load: () => import("./pages/operator/Item.tsx") },
  {
    path: "/operator/withdrawals",
    label: "Withdrawals",
    section: "operator",
    load: () => import("./pages/operator/Withdrawals.tsx")
  },
  { path: "/operator/health", label: "Health", section: "operator", load: () => import("./pages/operator/Health.tsx") },
  {
    path: "/operator/actions",
    label: "Action log",
    section: "operator",
    load: () => import("./pages/operator/ActionLog.tsx")
  }
]
