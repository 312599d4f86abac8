import type { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { McpSchema } from "effect/ai"

/** What a model should do about a failure, by error code, or otherwise by status. */
const advice: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: "Correct the arguments that details.issues or the message names, then call again.",
  INVALID_API_KEY: "The key of this connection is invalid. Ask the owner for a valid one before calling again.",
  INSUFFICIENT_PERMISSIONS: "The key lacks a permission that details.required or the message names. Ask the owner.",
  AGENT_NOT_CLAIMED: "An owner has to claim this agent first. Give the owner the claim code of its registration.",
  INSUFFICIENT_BALANCE:
    "Tell the owner how much is missing (details) and where to send USDT (deposit_address). Once it is there, buy again with the same idempotencyKey.",
  SPENDING_LIMIT_EXCEEDED:
    "The owner's spending policy forbids it (spending_policy). Do not circumvent it: tell the owner.",
  OWN_LISTING: "This account sells the item itself. There is nothing to buy.",
  LISTING_NOT_FOUND: "No such item is on sale. Look for its id with search_skills or search_souls.",
  SOUL_NOT_FOUND: "No such SOUL. Look for its slug with search_souls.",
  PURCHASE_NOT_FOUND: "No such purchase of this account. See list_purchases.",
  PRICE_CHANGED:
    "Nothing was bought: the price or the pricing model (details) is not what you stated. Buy again with these terms and a new idempotencyKey only if the owner's task allows them.",
  AGENT_FROZEN: "The owner has frozen this agent. It can read and nothing else: tell the owner, and do not call again.",
  ACCOUNT_FROZEN: "The account is frozen. It can read and nothing else: tell the owner, and do not call again.",
  QUOTA_EXCEEDED: "A quota of the account is used up (details). Tell the owner.",
  NAME_TOO_SIMILAR:
    "The name looks like that of another creator's item (details.conflictsWith). Choose a name that differs clearly.",
  ALREADY_PURCHASED: "The account owns it: get_purchase with details.purchaseId has the license. Do not buy it again.",
  CONFLICT:
    "The current state does not allow it; details.state names it. If it is pending_approval, wait for the owner.",
  IDEMPOTENCY_KEY_REUSED:
    "The idempotencyKey was used for another purchase. Use a new key only for a new intention to buy.",
  NETWORK_ERROR:
    "The market did not answer. Call again in a moment; for buy with the same idempotencyKey, since the purchase may have succeeded. If this continues, tell the owner.",
  RATE_LIMIT_EXCEEDED: "Wait until details.resetAt, then call again with the same arguments."
}

const otherwise = (statusCode: number): string =>
  statusCode === 0 || statusCode >= 500
    ? "Call again in a moment. For buy: with the same idempotencyKey, since the purchase may have succeeded."
    : "Do not call again with the same arguments."

/** A failure of a tool as a model reads it: an error result, never a failure of the protocol (MCP-4). */
export const toolFailure = (error: MarketplaceError): McpSchema.CallToolResult => {
  const { code, details, message, requestId, statusCode } = error
  const report = {
    code,
    message,
    details,
    next: advice[code] ?? otherwise(statusCode),
    ...(requestId === undefined ? {} : { requestId })
  }
  return McpSchema.CallToolResult.make({
    isError: true,
    content: [McpSchema.TextContent.make({ type: "text", text: JSON.stringify({ error: report }) })]
  })
}
