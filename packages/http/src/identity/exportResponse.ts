import { toApproval } from "@agent-marketplace/api/approvals/ApprovalSchemas"
import { toPolicy } from "@agent-marketplace/api/approvals/PolicySchemas"
import { toDomain } from "@agent-marketplace/api/domains/DomainsGroup"
import type { AccountExport as Exported } from "@agent-marketplace/api/identity/ExportSchemas"
import {
  toExportedAgentPolicy,
  toExportedSoul,
  toExportedSoulVersion
} from "@agent-marketplace/api/identity/ExportSchemas"
import { toAccount, toAgent, toKey } from "@agent-marketplace/api/identity/IdentityWire"
import { toExportedActivation } from "@agent-marketplace/api/licenses/LicensesGroup"
import { toAdminListing, toReview } from "@agent-marketplace/api/listings/ListingWire"
import { toChannel } from "@agent-marketplace/api/notifications/NotificationSchemas"
import { toGrant } from "@agent-marketplace/api/oauth/OauthWire"
import { toPasskey } from "@agent-marketplace/api/passkeys/PasskeySchemas"
import { toPurchase, toSale, toSubscription } from "@agent-marketplace/api/purchases/PurchaseWire"
import { toListedSession } from "@agent-marketplace/api/sessions/SessionSchemas"
import { toTransaction, toWalletBalance, toWithdrawal } from "@agent-marketplace/api/wallets/WalletWire"
import { toSavedAddress, toWithdrawalRules } from "@agent-marketplace/api/wallets/WithdrawalRulesSchemas"
import { toWebhook } from "@agent-marketplace/api/webhooks/WebhookWire"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { AccountExport } from "@agent-marketplace/core/identity/AccountExports"
import { Stream } from "effect"
import { HttpServerResponse } from "effect/http"

type Texts = Stream.Stream<string, StoreUnavailable>

/** A field with an array value that is streamed. */
const arrayField = <A, B>(
  name: keyof typeof Exported.Type,
  records: Stream.Stream<A, StoreUnavailable>,
  toWire: (record: A) => B
): Texts =>
  Stream.concat(
    Stream.succeed(`,"${name}":[`),
    Stream.concat(
      Stream.map(
        Stream.zipWithIndex(records),
        ([record, i]) => `${i === 0 ? "" : ","}${JSON.stringify(toWire(record))}`
      ),
      Stream.succeed("]")
    )
  )

const headers = { "content-disposition": 'attachment; filename="account.json"', "cache-control": "no-store" }

/** An export in the general envelope, streamed, so that it is never in memory as a whole (ACCOUNT-6). A fault in the middle ends the response early. */
export const exportResponse = (
  { account, notificationPreferences, policy, records, wallet, withdrawalRules }: AccountExport,
  now: Timestamp
): HttpServerResponse.HttpServerResponse => {
  const head = JSON.stringify({
    exportedAt: Timestamp.toIso(now),
    account: toAccount(account),
    wallet: toWalletBalance(wallet),
    policy: toPolicy(policy),
    withdrawalRules: toWithdrawalRules(withdrawalRules),
    notificationPreferences
  })
  const fields: ReadonlyArray<Texts> = [
    arrayField("agents", records.agents, toAgent),
    arrayField("agentPolicies", records.agentPolicies, toExportedAgentPolicy),
    arrayField("keys", records.keys, toKey),
    arrayField("souls", records.souls, toExportedSoul),
    arrayField("soulVersions", records.soulVersions, toExportedSoulVersion),
    arrayField("listings", records.listings, toAdminListing),
    arrayField("reviews", records.reviews, toReview),
    arrayField("purchases", records.purchases, (purchase) => toPurchase(purchase, now)),
    arrayField("activations", records.activations, toExportedActivation),
    arrayField("sales", records.sales, (sale) => toSale(sale, now)),
    arrayField("approvals", records.approvals, toApproval),
    arrayField("subscriptions", records.subscriptions, toSubscription),
    arrayField("transactions", records.transactions, toTransaction),
    arrayField("withdrawals", records.withdrawals, toWithdrawal),
    arrayField("withdrawalAddresses", records.withdrawalAddresses, toSavedAddress),
    arrayField("webhooks", records.webhooks, toWebhook),
    arrayField("domains", records.domains, toDomain),
    arrayField("sessions", records.sessions, toListedSession(null)),
    arrayField("passkeys", records.passkeys, toPasskey),
    arrayField("oauthGrants", records.oauthGrants, toGrant),
    arrayField("notificationChannels", records.notificationChannels, toChannel)
  ]
  const start: Texts = Stream.succeed(`{"success":true,"data":${head.slice(0, -1)}`)
  const text = [...fields, Stream.succeed("}}")].reduce<Texts>((before, field) => Stream.concat(before, field), start)
  return HttpServerResponse.stream(Stream.encodeText(text), { contentType: "application/json", headers })
}
