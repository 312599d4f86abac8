import { purchaseStatuses } from "@agent-marketplace/core/purchases/Purchase"
import type { AccountOverview as CoreOverview } from "@agent-marketplace/core/admin/Administration"
import type { OperatorAction } from "@agent-marketplace/core/admin/OperatorAction"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Purchase as CorePurchase } from "@agent-marketplace/core/purchases/Purchase"
import { Schema } from "effect"
import { AdminAccount, Agent, IssuedKey, Key } from "../identity/IdentitySchemas.ts"
import { toAdminAccount, toAgent, toKey } from "../identity/IdentityWire.ts"
import { PurchasedSkill } from "../purchases/PurchaseSchemas.ts"
import { toPurchasedSkill } from "../purchases/PurchaseWire.ts"
import { WalletBalance } from "../wallets/WalletSchemas.ts"
import { toWalletBalance } from "../wallets/WalletWire.ts"
import { field } from "../wire/Field.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { reasonText } from "./Reason.ts"

export const AccountFreezeInput = Schema.Struct({
  reason: field(reasonText, "1 to 1,000 characters; sent to the account.", "Its owner reports that a key was stolen.")
}).annotate({ identifier: "AccountFreezeInput", description: "Why an account is frozen." })

const counts = {
  souls: ResponseField.count("Souls that are not deleted.", 3),
  listings: ResponseField.count("Listings that are not deleted.", 2),
  agents: ResponseField.count("Agents that are not retired.", 1),
  keys: ResponseField.count("Active keys, those of one family counted once.", 2),
  webhooks: ResponseField.count("Webhooks.", 1),
  purchases: ResponseField.count("Purchases in any state.", 12),
  sales: ResponseField.count("Sales in any state.", 40)
}

export const AccountOverview = Schema.Struct({
  account: AdminAccount,
  balance: WalletBalance,
  keys: Schema.Array(Key).annotate({ description: "The newest hundred, without secrets." }),
  agents: Schema.Array(Agent).annotate({ description: "The newest hundred." }),
  counts: Schema.Struct(counts).annotate({ identifier: "AccountCounts", description: "How much the account has." })
}).annotate({ identifier: "AccountOverview", description: "An account with its balance, keys, agents and counts." })

export const RecoveredAccount = Schema.Struct({ apiKey: IssuedKey }).annotate({
  identifier: "RecoveredAccount",
  description: "The only active key of the recovered account."
})

/** A purchase with both sides. */
export const AdminPurchase = Schema.Struct({
  id: ResponseField.text("Prefix `pur_`.", "pur_01j9zq5k2f8h3m6n7p0r4s"),
  skill: PurchasedSkill,
  buyerId: ResponseField.text("Who bought.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  sellerId: ResponseField.text("Who sold.", "usr_01j9zq5k2f8h3m6n7p0r4t"),
  agentId: ResponseField.textOrNull("The agent that bought, if one did.", null),
  amount: ResponseField.number("The price, in USDT.", 12.5),
  fee: ResponseField.number("The platform's share of the amount, in USDT.", 0.625),
  status: ResponseField.choice(purchaseStatuses, "`failed`: waited for approval and was not completed.", "completed"),
  licenseType: ResponseField.choice(["perpetual", "subscription", "free"], "How long the license lasts.", "perpetual"),
  purchasedAt: ResponseField.time("When it was bought."),
  expiresAt: ResponseField.timeOrNull("The end of a subscription's paid period.", null)
}).annotate({ identifier: "AdminPurchase", description: "A purchase as an operator sees it." })

const state = Schema.NullOr(Schema.Record(Schema.String, Schema.Json))

/** One write by an operator (OPERATOR-15). */
export const Operation = Schema.Struct({
  id: ResponseField.text("Prefix `act_`.", "act_01j9zq5k2f8h3m6n7p0r4s"),
  at: ResponseField.time("When."),
  actor: ResponseField.text(
    "The name in `X-Operator`, `operator` if none was given, or the id of the session's account.",
    "grace"
  ),
  action: ResponseField.text("What was done.", "account.freeze"),
  subject: ResponseField.text("The id of the record that was changed.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  before: field(state, "The changed fields before the action.", { frozenAt: null }),
  after: field(state, "The changed fields after the action.", { frozenAt: "2025-01-15T12:00:00.000Z" }),
  reason: ResponseField.textOrNull("The reason, if one was given.", "A key was stolen."),
  requestId: ResponseField.text("The `X-Request-Id` of the request.", "req_8f14e45f")
}).annotate({ identifier: "OperatorAction", description: "One write by an operator." })

export const toAccountOverview = (overview: CoreOverview): typeof AccountOverview.Type => ({
  account: toAdminAccount(overview.account),
  balance: toWalletBalance(overview.wallet),
  keys: overview.keys.map(toKey),
  agents: overview.agents.map(toAgent),
  counts: overview.counts
})

export const toAdminPurchase = (purchase: CorePurchase): typeof AdminPurchase.Type => ({
  id: purchase.id,
  skill: toPurchasedSkill(purchase.item),
  buyerId: purchase.buyerId,
  sellerId: purchase.sellerId,
  agentId: purchase.agentId,
  amount: Usdt.toNumber(purchase.amount),
  fee: Usdt.toNumber(purchase.fee),
  status: purchase.status,
  licenseType: purchase.licenseType,
  purchasedAt: Timestamp.toIso(purchase.purchasedAt),
  expiresAt: purchase.expiresAt === null ? null : Timestamp.toIso(purchase.expiresAt)
})

export const toOperation = (action: OperatorAction): typeof Operation.Type => ({
  ...action,
  at: Timestamp.toIso(action.at)
})
