import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { ChangedByHand } from "@agent-marketplace/client/node/ChangedByHand"
import { InstallError } from "@agent-marketplace/client/node/InstallError"
import { CommandFailure, exitCodes, usageFailure } from "./CommandFailure.ts"
import type { Page } from "../terminal/CliContext.ts"
import { safeJson } from "../terminal/report.ts"
import { plain, style } from "../terminal/text.ts"

type Details = Readonly<Record<string, unknown>>

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "")

const isRecord = (value: unknown): value is Details => typeof value === "object" && value !== null

const issuesOf = ({ issues }: Details): string =>
  Array.isArray(issues)
    ? issues
        .filter(isRecord)
        .map(({ message, path }) => `${text(path)} ${text(message)}`)
        .join("; ")
    : ""

const permissionHint = ({ required }: Details): string | undefined => {
  const wanted = Array.isArray(required) ? required.map(text) : []
  if (wanted.includes("seller account")) return "Turn selling on with `agent-marketplace account update --seller`."
  if (wanted.includes("owner")) return "Use a key of the owner, not one of an agent."
  if (wanted.includes("creator")) return "Only its creator may do that."
  if (wanted.includes("seller")) return "Only the item's seller may do that."
  if (wanted.includes("license")) return "Buy it first: `agent-marketplace buy`."
  const scopes = wanted.filter((name) => /^[A-Z]+$/.test(name))
  return scopes.length === 0
    ? undefined
    : `Use a key with the scope ${scopes.join(" or ")}: \`agent-marketplace keys create\`.`
}

/** Hints by error code. */
const hints: Readonly<Record<string, (details: Details) => string | undefined>> = {
  INVALID_API_KEY: () => "Run `agent-marketplace login`, or check MARKETPLACE_API_KEY.",
  INSUFFICIENT_PERMISSIONS: permissionHint,
  INSUFFICIENT_BALANCE: () => "Fill the wallet: `agent-marketplace wallet deposit` shows where to.",
  SPENDING_LIMIT_EXCEEDED: () => "`agent-marketplace wallet policy get` shows the limits; their owner can change them.",
  LICENSE_REQUIRED: ({ price }) => `Buy it first, for ${text(price)}: \`agent-marketplace buy\`.`,
  WITHDRAWAL_REFUSED: () => "`agent-marketplace wallet withdrawal-rules` shows the rules; their owner can change them.",
  AGENT_NOT_CLAIMED: () =>
    "An owner must claim this agent first: `agent-marketplace agents claim <code>`, with the code of its registration.",
  PRICE_CHANGED: ({ price, pricingModel }) =>
    `It now costs ${text(price)} USDT (${text(pricingModel)}). Nothing was bought; run it again to see the new terms.`,
  ACCOUNT_FROZEN: () => "The account is frozen: it can only read. Contact the market's operator.",
  AGENT_FROZEN: () => "The owner froze this agent: `agent-marketplace agents unfreeze` unfreezes it.",
  QUOTA_EXCEEDED: () => "Delete what is no longer needed, or ask the operator for a higher quota.",
  NAME_TOO_SIMILAR: ({ conflictsWith }) => `Choose a name that differs clearly from that of ${text(conflictsWith)}.`,
  ALREADY_PURCHASED: ({ purchaseId }) => `See \`agent-marketplace purchases show ${text(purchaseId)}\`.`,
  CONFLICT: ({ state }) =>
    state === "pending_approval" ? "It waits for the owner's approval: `agent-marketplace approvals`." : undefined,
  LISTING_NOT_FOUND: () => "`agent-marketplace search` finds what is on sale.",
  IMAGE_NOT_FOUND: () => "`agent-marketplace images list <skill>` lists the pictures.",
  RELEASE_NOT_FOUND: () => "`agent-marketplace releases list <listing>` lists the versions.",
  SOUL_NOT_FOUND: () => "`agent-marketplace search --type soul` finds what is on sale.",
  PURCHASE_NOT_FOUND: () => "`agent-marketplace purchases` lists what was bought.",
  APPROVAL_NOT_FOUND: () => "`agent-marketplace approvals` lists pending approvals.",
  WEBHOOK_NOT_FOUND: () => "`agent-marketplace webhooks list` lists the subscriptions.",
  SUBSCRIPTION_NOT_FOUND: () => "`agent-marketplace subscriptions` lists the subscriptions.",
  ADDRESS_NOT_FOUND: () => "`agent-marketplace wallet addresses` lists the address book.",
  FOREIGN_ASSET_NOT_FOUND: () => "`agent-marketplace operator foreign-assets list` lists them.",
  WITHDRAWAL_NOT_FOUND: () => "`agent-marketplace wallet withdrawals` lists them.",
  DEPOSIT_NOT_FOUND: () => "`agent-marketplace operator deposits held` lists them.",
  AGENT_NOT_FOUND: () => "`agent-marketplace agents` lists the account's agents.",
  STEP_UP_REQUIRED: () => "Only sessions in a browser get this. API keys need no confirmation.",
  PASSKEY_NOT_FOUND: () => "The market's pages list the account's passkeys.",
  SESSION_NOT_FOUND: () => "`agent-marketplace sessions list` shows the active sessions.",
  CLIENT_NOT_FOUND: () => "See `agent-marketplace oauth clients list`.",
  GRANT_NOT_FOUND: () => "It may have ended: see `agent-marketplace oauth grants list`.",
  REQUEST_NOT_FOUND: () => "A request expires after an hour: start again in the application.",
  CLAIM_CODE_NOT_FOUND: () => "A code works once. The response to the agent's registration contains it.",
  DELIVERY_NOT_FOUND: () => "`agent-marketplace webhooks deliveries <webhook>` lists its deliveries.",
  KEY_NOT_FOUND: () => "`agent-marketplace keys list` lists the keys.",
  RATE_LIMIT_EXCEEDED: ({ resetAt }) => `Try again after ${text(resetAt)}.`,
  IDEMPOTENCY_KEY_REUSED: () => "Use a different idempotency key for a different request.",
  INVALID_RESPONSE: () => "Does --base-url or MARKETPLACE_URL name a market?",
  NETWORK_ERROR: () => "Is the market running there? --base-url or MARKETPLACE_URL sets its address.",
  TIMEOUT: () => "Try again; a repeated purchase is made only once.",
  INTERNAL_ERROR: () => "Try again; if it happens again, report the request id.",
  SERVICE_UNAVAILABLE: () => "Try again in a few seconds."
}

const exitCodeOf = ({ code, statusCode }: MarketplaceError) => {
  if (statusCode === 0) return exitCodes.unreachable
  if (statusCode === 401) return exitCodes.key
  return code === "INSUFFICIENT_BALANCE" || code === "SPENDING_LIMIT_EXCEEDED" ? exitCodes.money : exitCodes.failure
}

const messageOf = ({ code, details, message }: MarketplaceError): string => {
  if (code === "VALIDATION_ERROR" && issuesOf(details) !== "") return issuesOf(details)
  if (code === "INSUFFICIENT_BALANCE" && "required" in details)
    return `${message}: ${text(details["required"])} needed, ${text(details["available"])} available`
  if (code === "SPENDING_LIMIT_EXCEEDED" && "limit" in details)
    return `${message} (${text(details["limit"])}${"allowed" in details ? `, ${text(details["allowed"])} allowed` : ""})`
  return message
}

/** Errors that the client reports to a program are mistakes in the user's input here. */
const unsendable = /(?:needs an id|must be printable ASCII)$/

const otherFailure = (cause: unknown): CommandFailure => {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof TypeError && unsendable.test(message))
    return usageFailure(message.replace(/^\S+ needs an id$/, "an id or slug must not be empty"))
  if (!(cause instanceof InstallError))
    return new CommandFailure({ code: "FAILURE", message, exitCode: exitCodes.failure })
  if (cause instanceof ChangedByHand)
    return new CommandFailure({
      code: "INSTALL_CHANGED",
      message,
      hint: "Nothing was written. Copy what you want to keep before you use --force.",
      exitCode: exitCodes.failure,
      details: { differences: cause.differences }
    })
  const hint = message.endsWith("is not in the lock file")
    ? "`agent-marketplace verify` lists what is installed."
    : "Nothing was written. The purchase is unchanged."
  return new CommandFailure({ code: "INSTALL_FAILED", message, hint, exitCode: exitCodes.failure })
}

/** The failure of a call of the client, with a hint. */
export const explain = (cause: unknown): CommandFailure => {
  if (!(cause instanceof MarketplaceError)) return otherFailure(cause)
  const { code, details, requestId, statusCode } = cause
  const hint = Object.hasOwn(hints, code) ? hints[code]?.(details) : undefined
  const facts = { code, details, requestId, statusCode, hint, exitCode: exitCodeOf(cause) }
  return new CommandFailure({ ...facts, message: messageOf(cause) })
}

/** A failure as it is printed on standard error. */
export const showFailure = (failure: CommandFailure, page: Page, json: boolean): string => {
  const { code, details, hint, message, requestId, statusCode } = failure
  if (json) return `${safeJson({ error: { code, message, hint, statusCode, details, requestId } })}\n`
  const lines = [
    `${style(page, "red", "error:")} ${plain.line(message)}`,
    ...(hint === undefined ? [] : [plain.line(hint)]),
    ...(code === "INTERNAL_ERROR" && requestId !== undefined ? [`request id: ${plain.line(requestId)}`] : [])
  ]
  return `${lines.join("\n")}\n`
}
