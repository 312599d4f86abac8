import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type {
  InvalidApiKey,
  MarketError,
  Resource,
  SpendingLimitExceeded,
  WithdrawalRuleName
} from "@agent-marketplace/core/errors/MarketError"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { ErrorCode } from "./ErrorCode.ts"
import { statusOf } from "./ErrorCode.ts"
import type { HttpFault } from "./HttpFault.ts"

/** A failure in the general envelope (ERROR-1), ready to be sent. */
export interface WireError {
  readonly status: number
  readonly body: {
    readonly success: false
    readonly error: {
      readonly code: ErrorCode
      readonly message: string
      readonly details: Readonly<Record<string, unknown>>
    }
  }
}

const wire = (code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}): WireError => ({
  status: statusOf[code],
  body: { success: false, error: { code, message, details } }
})

const resourceNames: Readonly<Record<Resource, string>> = {
  LISTING: "Listing",
  SOUL: "Soul",
  RELEASE: "Release",
  IMAGE: "Image",
  PURCHASE: "Purchase",
  APPROVAL: "Approval",
  AGENT: "Agent",
  KEY: "API key",
  WEBHOOK: "Webhook",
  DELIVERY: "Delivery",
  SUBSCRIPTION: "Subscription",
  WITHDRAWAL: "Withdrawal",
  FOREIGN_ASSET: "Foreign asset",
  DEPOSIT: "Deposit",
  ADDRESS: "Address",
  ACCOUNT: "Account",
  CLAIM_CODE: "Claim code",
  SESSION: "Session",
  CLIENT: "Application",
  GRANT: "Grant",
  REQUEST: "Request for access",
  PASSKEY: "Passkey",
  DOMAIN: "Domain",
  APPEAL: "Appeal",
  REPORT: "Report",
  CHANNEL: "Channel"
}

const permissionMessage = (required: ReadonlyArray<string>): string => {
  switch (required[0]) {
    case "owner":
      return "Only a key of the owner's own may do this, not an agent's"
    case "seller account":
      return "This needs a seller account: turn it on with PATCH /api/v1/account"
    case "creator":
      return "Only the item's creator may do this"
    case "another account":
      return "You cannot report what you sell"
    case "seller":
      return "Only the item's seller may do this"
    case "license":
      return "This needs a license for the item"
    case "admin":
      return "This needs the operator's token"
    case "session":
      return "This needs a session: sign in with POST /api/v1/sessions"
    case "key":
      return "This needs an API key: a session is not a key"
    case "https":
      return "Sessions need BASE_URL with https, or http on a loopback name such as localhost"
    case "account":
      return "This needs the session of an account: the operator's token has none"
    case "host application":
      return "Sessions are off here: people sign in with the host application"
    case "X-Requested-With: console":
      return "A request with a session's cookie must send `X-Requested-With: console`"
    case "same origin":
      return "A request that a cookie identifies may write only from a page of this origin: send its Origin, or an API key"
    default:
      return `This needs a key with the scope ${required.join(" or ")}`
  }
}

const limitMessage = ({ limit }: SpendingLimitExceeded): string => {
  switch (limit) {
    case "category":
      return "The spending policy does not allow this category"
    case "seller":
      return "The spending policy blocks this seller"
    case "perTransaction":
      return "The price exceeds the limit for one transaction"
    default:
      return `The purchase exceeds the ${limit} spending limit`
  }
}

const limitDetails = ({ allowed, limit, requested }: SpendingLimitExceeded) => ({
  limit,
  ...(allowed === undefined ? {} : { allowed: Usdt.withCurrency(allowed) }),
  ...(requested === undefined ? {} : { requested: Usdt.withCurrency(requested) })
})

const refusalMessages: Readonly<Record<WithdrawalRuleName, string>> = {
  allowListOnly: "Your withdrawal rules allow only the addresses in your address book",
  newAddressDelayHours: "This address has not been in your address book for long enough (newAddressDelayHours)",
  screening: "This address cannot be paid",
  dailyLimit: "The withdrawal exceeds the daily limit of your withdrawal rules"
}

const conflictMessage = (state: string, reason: string | undefined): string =>
  `Not possible in the state "${state}"${reason === undefined ? "" : `: ${reason}`}`

const keyMessages: Readonly<Record<InvalidApiKey["reason"], string>> = {
  missing: "API key required",
  invalid: "Invalid or inactive API key",
  scheme: "API key required: send it as `Authorization: Bearer <key>`",
  passkey: "The passkey is not accepted: request new options and try again",
  operator: "This is the operator's token, which opens the operator's routes alone: use an API key here"
}

/** Every failure of a request. */
export type Failure = MarketError | ChainUnavailable | HttpFault

/** Maps a failure to its code, status, message and details. `requestId` is the response's X-Request-Id. */
export const toWire = (error: Failure, requestId: string): WireError => {
  switch (error._tag) {
    case "ValidationFailed":
      return wire("VALIDATION_ERROR", "The request is not valid", { issues: error.issues })
    case "InvalidApiKey":
      return wire("INVALID_API_KEY", keyMessages[error.reason])
    case "InsufficientBalance":
      return wire("INSUFFICIENT_BALANCE", "The wallet balance is too low", {
        required: Usdt.withCurrency(error.required),
        available: Usdt.withCurrency(error.available)
      })
    case "Forbidden":
      return wire("INSUFFICIENT_PERMISSIONS", permissionMessage(error.required), { required: error.required })
    case "StepUpRequired":
      return wire("STEP_UP_REQUIRED", "Confirm with your passkey first: POST /api/v1/sessions/current/step-up")
    case "OwnListing":
      return wire("OWN_LISTING", "You cannot buy what you sell")
    case "SpendingLimitExceeded":
      return wire("SPENDING_LIMIT_EXCEEDED", limitMessage(error), limitDetails(error))
    case "AgentNotClaimed":
      return wire("AGENT_NOT_CLAIMED", "The agent must be claimed by an owner first")
    case "AccountFrozen":
      return wire("ACCOUNT_FROZEN", "Account is frozen", { since: Timestamp.toIso(error.since), reason: error.reason })
    case "AgentFrozen":
      return wire("AGENT_FROZEN", "Agent is frozen", { since: Timestamp.toIso(error.since), reason: error.reason })
    case "WithdrawalRefused":
      // ERROR-24
      return wire("WITHDRAWAL_REFUSED", refusalMessages[error.rule], { rule: error.rule })
    case "QuotaExceeded":
      // ERROR-28
      return wire("QUOTA_EXCEEDED", `Quota exceeded: ${error.quota}`, {
        quota: error.quota,
        limit: error.limit,
        used: error.used
      })
    case "NameTooSimilar":
      // ERROR-27
      return wire(
        "NAME_TOO_SIMILAR",
        "The name looks like that of another creator's item; choose one that differs clearly",
        { conflictsWith: error.conflictsWith }
      )
    case "NotFound":
      return wire(`${error.resource}_NOT_FOUND`, `${resourceNames[error.resource]} not found`)
    case "LicenseRequired":
      // ERROR-25
      return wire("LICENSE_REQUIRED", "This needs a license: buy the item first", {
        price: Usdt.format(error.price),
        itemId: error.itemId
      })
    case "AlreadyPurchased":
      return wire("ALREADY_PURCHASED", "You already own a license", { purchaseId: error.purchaseId })
    case "PriceChanged":
      // ERROR-26
      return wire("PRICE_CHANGED", "The price or the pricing model is not what you agreed to", {
        price: Usdt.format(error.price),
        pricingModel: error.pricingModel
      })
    case "Conflict":
      return wire("CONFLICT", conflictMessage(error.state, error.reason), {
        state: error.state,
        ...(error.limit === undefined ? {} : { limit: error.limit }),
        ...(error.reason === undefined ? {} : { reason: error.reason }),
        ...(error.purchaseId === undefined ? {} : { purchaseId: error.purchaseId }),
        ...(error.updatedAt === undefined ? {} : { updatedAt: Timestamp.toIso(error.updatedAt) })
      })
    case "IdempotencyKeyReused":
      return wire("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used for a different request")
    case "StoreUnavailable":
    case "ChainUnavailable":
      return wire("SERVICE_UNAVAILABLE", "The service is unavailable; try again soon", { requestId })
    case "Overloaded":
      return wire("SERVICE_UNAVAILABLE", "This process has too many open streams; try again soon", { requestId })
    case "ServiceOverloaded":
      return wire("SERVICE_UNAVAILABLE", "The service is overloaded; try again soon", { requestId })
    case "InternalFault":
      return wire("INTERNAL_ERROR", "Something went wrong on our side", { requestId })
    default:
      return faultToWire(error)
  }
}

const faultToWire = (
  fault: Exclude<HttpFault, { readonly _tag: "InternalFault" | "Overloaded" | "ServiceOverloaded" }>
): WireError => {
  switch (fault._tag) {
    case "RouteNotFound":
      return wire("NOT_FOUND", "Nothing is at this path")
    case "MethodNotAllowed":
      return wire("METHOD_NOT_ALLOWED", `Use ${fault.allow.join(", ")} on this path`, { allow: fault.allow })
    case "Misdirected":
      return wire(
        "MISDIRECTED",
        "This service listens on this machine only and is not known by that name. Behind a proxy, set BASE_URL to its public address"
      )
    case "PayloadTooLarge":
      return wire("PAYLOAD_TOO_LARGE", `The body must be at most ${fault.maxBytes} bytes`, { maxBytes: fault.maxBytes })
    case "UnsupportedMediaType":
      return fault.allowed === undefined
        ? wire("UNSUPPORTED_MEDIA_TYPE", "The body must be JSON (Content-Type: application/json)")
        : wire(
            "UNSUPPORTED_MEDIA_TYPE",
            `Content-Type must be one of ${fault.allowed.join(", ")}, and the body must have no Content-Encoding`,
            { allowed: fault.allowed }
          )
    case "RateLimited":
      return wire("RATE_LIMIT_EXCEEDED", "Rate limit exceeded", {
        resetAt: Timestamp.toIso(fault.resetAt),
        limit: fault.limit,
        window: fault.window
      })
  }
}
