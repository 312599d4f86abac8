import { GraphQLID } from "graphql"
import type { GraphQLFieldConfigArgumentMap } from "graphql"

/** A field that shows one record. */
export interface OneField {
  readonly kind: "one"
  /** The operation of the OpenAPI document: its arguments, permissions and result are those of the field. */
  readonly operation: string
  /** The property of the result that is shown; the whole result if absent. */
  readonly pick?: string
  /** Arguments in addition to those of the operation. */
  readonly args?: GraphQLFieldConfigArgumentMap
  /** Which operation the arguments choose, and its arguments. */
  readonly chosen?: (
    args: Readonly<Record<string, unknown>>
  ) => Readonly<Record<string, unknown>> & { readonly operation: string }
}

/** A field that shows a list, as a connection. */
export interface ListField {
  readonly kind: "list"
  readonly operation: string
  /** The property of the result that contains the records; the result itself if absent. */
  readonly items?: string
  /** Whether many requests read the same pages, because the list is the catalogue. */
  readonly isCatalogue?: boolean
}

export type RootField = OneField | ListField

const one = (operation: string, more: Omit<OneField, "kind" | "operation"> = {}): OneField => ({
  kind: "one",
  operation,
  ...more
})

const list = (operation: string, items?: string): ListField => ({
  kind: "list",
  operation,
  ...(items === undefined ? {} : { items })
})

/** A list of the catalogue: many requests read the same pages. */
const catalogue = (operation: string, items?: string): ListField => ({ ...list(operation, items), isCatalogue: true })

/** The queries, and the operations that they call. */
export const queries: Readonly<Record<string, RootField>> = {
  souls: catalogue("souls.list", "souls"),
  soul: one("souls.get", { pick: "soul" }),
  listings: catalogue("envelopedListings.list"),
  listing: one("envelopedListings.get"),
  skills: catalogue("skills.list", "skills"),
  skill: one("skills.get"),
  categories: catalogue("catalogue.categories"),
  creator: one("catalogue.creator"),
  activity: one("activity.live"),
  me: one("accounts.get"),
  wallet: one("wallets.balance"),
  budget: one("policies.budget", {
    args: { agentId: { type: GraphQLID, description: "The budget of this agent instead of the caller's." } },
    chosen: ({ agentId }) =>
      typeof agentId === "string"
        ? { operation: "policies.agentBudget", id: agentId }
        : { operation: "policies.budget" }
  }),
  purchases: list("purchases.list", "purchases"),
  purchase: one("purchases.get"),
  sales: list("purchases.sales"),
  approvals: list("approvals.list"),
  subscriptions: list("subscriptions.list"),
  agents: list("agents.list"),
  webhooks: list("webhooks.list"),
  advisories: list("advisories.list")
}

const soulPrefix = "soul_"

/** The mutations, and the operations that they call. */
export const mutations: Readonly<Record<string, RootField>> = {
  buy: one("purchases.buy"),
  approve: one("approvals.approve"),
  reject: one("approvals.reject"),
  createSoul: one("souls.create"),
  updateSoul: one("souls.update"),
  createListing: one("envelopedListings.create"),
  updateListing: one("envelopedListings.update"),
  review: one("envelopedListings.review", {
    chosen: ({ id, ...rest }) =>
      String(id).startsWith(soulPrefix)
        ? { operation: "souls.review", slug: id, ...rest }
        : { operation: "envelopedListings.review", id, ...rest }
  }),
  refund: one("purchases.refund"),
  setPolicy: one("policies.set", {
    args: { agentId: { type: GraphQLID, description: "The policy of this agent instead of the account's." } },
    chosen: ({ agentId, ...rest }) =>
      typeof agentId === "string"
        ? { operation: "policies.setForAgent", id: agentId, ...rest }
        : { operation: "policies.set", ...rest }
  }),
  freezeAgent: one("agents.freeze"),
  unfreezeAgent: one("agents.unfreeze")
}
