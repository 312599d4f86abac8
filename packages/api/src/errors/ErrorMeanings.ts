import type { ErrorCode } from "./ErrorCode.ts"

/** For the documents: when a code occurs, and an example of its message (ERROR-1). */
export const meanings: Readonly<Record<ErrorCode, readonly [when: string, message: string]>> = {
  VALIDATION_ERROR: [
    "Body, query, header or path is not valid; all issues are reported together.",
    "The request is not valid"
  ],
  INVALID_API_KEY: ["The key is missing, malformed, unknown, expired or deactivated.", "Invalid or inactive API key"],
  INSUFFICIENT_BALANCE: ["The wallet's balance is too low.", "The wallet balance is too low"],
  LICENSE_REQUIRED: [
    "A download of a paid soul, or the install of a paid item, without a license.",
    "This needs a license: buy the item first"
  ],
  INSUFFICIENT_PERMISSIONS: [
    "The key's scope, or whose key it is, does not allow the operation.",
    "This needs a key with the scope SELLER or FULL"
  ],
  STEP_UP_REQUIRED: [
    "The account has a passkey, and this session has not been confirmed with it in the last five minutes.",
    "Confirm with your passkey first: POST /api/v1/sessions/current/step-up"
  ],
  OWN_LISTING: ["The buyer is the item's seller.", "You cannot buy what you sell"],
  SPENDING_LIMIT_EXCEEDED: [
    "The purchase exceeds a limit of the spending policy.",
    "The purchase exceeds the daily spending limit"
  ],
  AGENT_NOT_CLAIMED: [
    "The agent is unclaimed, and the operation needs an owner.",
    "The agent must be claimed by an owner first"
  ],
  ACCOUNT_FROZEN: ["The account is frozen: it can read but change nothing.", "Account is frozen"],
  AGENT_FROZEN: ["The agent is frozen: it can read but change nothing.", "Agent is frozen"],
  QUOTA_EXCEEDED: ["One more record would exceed a quota of the account.", "Quota exceeded: souls"],
  WITHDRAWAL_REFUSED: [
    "One of the owner's withdrawal rules forbids it.",
    "The withdrawal exceeds the daily limit of your withdrawal rules"
  ],
  LISTING_NOT_FOUND: ["No such listing, or the caller may not see it.", "Listing not found"],
  IMAGE_NOT_FOUND: ["The listing has no such picture.", "Image not found"],
  RELEASE_NOT_FOUND: ["The listing has no such release, or no bytes of it for the caller.", "Release not found"],
  SOUL_NOT_FOUND: ["No such soul, or the caller may not see it.", "Soul not found"],
  PURCHASE_NOT_FOUND: ["No such purchase, or the caller may not see it.", "Purchase not found"],
  APPROVAL_NOT_FOUND: ["No such approval, or the caller may not see it.", "Approval not found"],
  AGENT_NOT_FOUND: ["No such agent, or the caller may not see it.", "Agent not found"],
  KEY_NOT_FOUND: ["No such API key, or the caller may not see it.", "API key not found"],
  WEBHOOK_NOT_FOUND: ["No such webhook, or the caller may not see it.", "Webhook not found"],
  DELIVERY_NOT_FOUND: ["No such delivery, or the caller may not see it.", "Delivery not found"],
  SUBSCRIPTION_NOT_FOUND: ["No such subscription, or the caller may not see it.", "Subscription not found"],
  WITHDRAWAL_NOT_FOUND: ["No such withdrawal, or the caller may not see it.", "Withdrawal not found"],
  FOREIGN_ASSET_NOT_FOUND: ["No such record of another asset.", "Foreign asset not found"],
  DEPOSIT_NOT_FOUND: ["No such deposit was held.", "Deposit not found"],
  ADDRESS_NOT_FOUND: ["No such entry in the address book.", "Address not found"],
  ACCOUNT_NOT_FOUND: ["No such account.", "Account not found"],
  CLIENT_NOT_FOUND: ["No such application, or another account registered it.", "Application not found"],
  GRANT_NOT_FOUND: ["No such grant, or it has ended.", "Grant not found"],
  REQUEST_NOT_FOUND: ["No such request for access, or it has expired.", "Request for access not found"],
  CLAIM_CODE_NOT_FOUND: ["The claim code is unknown or was used.", "Claim code not found"],
  SESSION_NOT_FOUND: ["No such session, or the caller may not see it.", "Session not found"],
  PASSKEY_NOT_FOUND: ["No such passkey, or the caller may not see it.", "Passkey not found"],
  APPEAL_NOT_FOUND: ["No such appeal.", "Appeal not found"],
  REPORT_NOT_FOUND: ["No such report.", "Report not found"],
  CHANNEL_NOT_FOUND: ["The account has no such channel.", "Channel not found"],
  DOMAIN_NOT_FOUND: ["The account has no such domain.", "Domain not found"],
  NOT_FOUND: ["There is nothing at this path.", "Nothing is at this path"],
  METHOD_NOT_ALLOWED: ["The path exists for other methods; `Allow` names them.", "Use GET on this path"],
  ALREADY_PURCHASED: ["The buyer owns a license already.", "You already own a license"],
  PRICE_CHANGED: [
    "The price is above `maxPrice`, or the pricing model is not the one that was given.",
    "The price or the pricing model is not what you agreed to"
  ],
  CONFLICT: ["The operation is not possible in the current state.", 'Not possible in the state "pending_approval"'],
  NAME_TOO_SIMILAR: [
    "The name is spelled differently from that of another creator's item, and looks the same.",
    "The name looks like that of another creator's item; choose one that differs clearly"
  ],
  PAYLOAD_TOO_LARGE: ["The body is too large.", "The body must be at most 1048576 bytes"],
  UNSUPPORTED_MEDIA_TYPE: ["The body is not JSON.", "The body must be JSON (Content-Type: application/json)"],
  MISDIRECTED: [
    "The service listens on loopback only and the `Host` is not one of its names.",
    "This service listens on this machine only and is not known by that name. Behind a proxy, set BASE_URL to its public address"
  ],
  IDEMPOTENCY_KEY_REUSED: [
    "The Idempotency-Key was used for a different request.",
    "This Idempotency-Key was used for a different request"
  ],
  RATE_LIMIT_EXCEEDED: ["Too many requests; `Retry-After` is the number of seconds to wait.", "Rate limit exceeded"],
  INTERNAL_ERROR: ["An unexpected server error.", "Something went wrong on our side"],
  SERVICE_UNAVAILABLE: [
    "The database is unavailable or the service is overloaded; `Retry-After` is the number of seconds to wait.",
    "The service is unavailable; try again soon"
  ]
}
