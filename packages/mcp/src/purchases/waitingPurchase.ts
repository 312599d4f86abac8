import type { Marketplace } from "@agent-marketplace/client"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import type { CallOptions } from "@agent-marketplace/client/requests/Send"
import type { Approval } from "@agent-marketplace/client/wire/Endpoints"
import { McpSchema } from "effect/ai"
import { approvalAddress } from "../approvals/approvalAddress.ts"
import type { Interaction } from "../tools/Interaction.ts"

/** The key of the only input that a purchase may require. */
const inputName = "approval"

/** The approval that a purchase waits for, and its page if there is one. */
interface Waiting {
  readonly approval: Approval
  readonly url: string | undefined
}

/** Undefined if the purchase no longer waits. */
export const findWaiting = async (
  market: Marketplace,
  purchaseId: string,
  { baseUrl }: Interaction,
  options: CallOptions
): Promise<Waiting | undefined> => {
  for await (const approval of market.approvals.iterate({ status: "pending" }, options)) {
    if (approval.purchaseId === purchaseId) return { approval, url: approvalAddress(baseUrl, approval.id) }
  }
  return undefined
}

const termsOf = ({ amount, period, skill }: Approval): string =>
  `${skill.name.slice(0, 80)} for ${amount} USDT${period === null ? "" : ` every ${period}`}`

/**
 * The request that the client opens the page of the approval (MCP-12); undefined if the client cannot, or its user has declined. The state is the
 * purchase's id alone. It needs no protection against changes: the purchase is read with the caller's own key, so a changed id shows nothing that
 * get_purchase does not show, and never buys.
 */
export const requestApproval = (
  { approval, url }: Waiting,
  { inputResponses, opensUrls }: Interaction
): McpSchema.InputRequired | undefined => {
  const action = inputResponses?.[inputName]?.["action"]
  if (!opensUrls || url === undefined || action === "decline" || action === "cancel") return undefined
  const message = `The purchase of ${termsOf(approval)} waits for your approval until ${approval.expiresAt}. You decide on the page of the market; opening it decides nothing.`
  return new McpSchema.InputRequired({
    inputRequests: { [inputName]: { method: "elicitation/create", params: { mode: "url", message, url } } },
    requestState: approval.purchaseId
  })
}

const invalidState = (message: string): MarketplaceError =>
  new MarketplaceError({
    code: "VALIDATION_ERROR",
    statusCode: 400,
    message,
    details: { issues: [{ path: "requestState", message }] }
  })

/** The purchase that a repeated call continues, as it is now. Nothing is bought. */
export const continued = async (market: Marketplace, requestState: string, itemId: string, options: CallOptions) => {
  if (!/^pur_[A-Za-z0-9_-]{1,100}$/.test(requestState)) throw invalidState("must be the state of an earlier result")
  const purchase = await market.purchases.get(requestState, options)
  const { failureReason, id, skill, status } = purchase
  if (skill.id !== itemId && skill.slug !== itemId) throw invalidState("must be the state of a purchase of this item")
  if (status === "failed") {
    throw new MarketplaceError({
      code: "CONFLICT",
      statusCode: 409,
      message: `The purchase was not approved, and nothing was paid. Do not buy it again unless the owner's task requires it.`,
      details: { state: failureReason ?? status, purchaseId: id }
    })
  }
  return purchase
}
