import { Schema } from "effect"
import type { WebhookEvent } from "./Webhook.ts"

const text = (description: string, example: string) => Schema.String.annotate({ description, examples: [example] })

const textOrNull = (description: string, example: string) =>
  Schema.NullOr(Schema.String).annotate({ description, examples: [example] })

const count = (description: string, example: number) =>
  Schema.Finite.check(
    Schema.makeFilter(() => true, { toJsonSchema: () => ({ type: "integer", minimum: 1 }) })
  ).annotate({ description, examples: [example] })

const money = (description: string) =>
  Schema.String.check(
    Schema.makeFilter(() => true, { toJsonSchema: () => ({ pattern: "^\\d+\\.\\d{2,6}$" }) })
  ).annotate({ description, examples: ["12.50"] })

const time = (description: string) =>
  Schema.String.check(Schema.makeFilter(() => true, { toJsonSchema: () => ({ format: "date-time" }) })).annotate({
    description,
    examples: ["2025-02-14T12:00:00.000Z"]
  })

const usdt = text("Always `USDT`.", "USDT")

const purchase = {
  purchaseId: text("The purchase.", "pur_01j9zq5k2f8h3m6n7p0r4s"),
  listingId: text("The purchased listing or soul.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  buyerId: text("The buyer's account.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  amount: money("The price."),
  currency: usdt
}

const unapproved = Schema.Struct({
  ...purchase,
  approvalId: text("The approval that ended.", "apr_01j9zq5k2f8h3m6n7p0r4s"),
  failureReason: text("`rejected`, `expired`, `not_for_sale` or `frozen`.", "rejected")
})

const subscription = Schema.Struct({
  subscriptionId: text("The subscription.", "sub_01j9zq5k2f8h3m6n7p0r4s"),
  ...purchase,
  purchaseId: text("The purchase that started the subscription.", "pur_01j9zq5k2f8h3m6n7p0r4s"),
  amount: money("The price for one period."),
  currentPeriodEnd: time("The end of the paid period.")
})

const soul = Schema.Struct({
  soulId: text("The soul.", "soul_01j9zq5k2f8h3m6n7p0r4s"),
  slug: text("Its slug.", "calm-analyst"),
  name: text("Its name.", "Calm Analyst"),
  author: text("The author's display name.", "Ada"),
  price: money("Its price."),
  currency: text("Always `USDC`.", "USDC"),
  category: text("Its category.", "soul-analyst"),
  version: count("The version of its content, starting at 1.", 1)
})

const listing = {
  listingId: text("The listing.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  slug: text("Its slug.", "inbox-sorter"),
  name: text("Its name.", "Inbox Sorter"),
  price: money("Its price."),
  currency: text("The currency of the price.", "USD")
}

const code = Schema.optionalKey(text("The code of the reason.", "theft"))

const releaseFields = {
  releaseId: text("The release.", "rel_01j9zq5k2f8h3m6n7p0r4s"),
  listingId: listing.listingId,
  slug: listing.slug,
  name: listing.name,
  version: text("The version of the release.", "1.4.0"),
  sha256: text("The digest of its bytes.", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
}

const advisory = Schema.Struct({
  advisoryId: text("The advisory.", "adv_01j9zq5k2f8h3m6n7p0r4s"),
  itemId: text("The listing or soul that it is about.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  versions: Schema.Array(Schema.String).annotate({ description: "The affected versions.", examples: [["1.4.0"]] }),
  severity: text("`info`, `high` or `critical`.", "critical"),
  action: text("What installers do: `note` or `remove`.", "remove"),
  reason: text("Why it was published.", "The release reads credentials and sends them elsewhere."),
  publishedAt: time("When it was published.")
})

const changes = Schema.optionalKey(
  Schema.Boolean.annotate({
    description: "True if it is about changes of a listing that remains approved.",
    examples: [true]
  })
)

const withdrawal = Schema.Struct({
  withdrawalId: text("The withdrawal.", "wdr_01j9zq5k2f8h3m6n7p0r4s"),
  amount: money("The amount that is paid out, without the fee."),
  fee: money("The network fee."),
  currency: usdt,
  destinationAddress: text("The destination address (TRC-20).", "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"),
  txHash: textOrNull(
    "The transaction; null if the withdrawal failed.",
    "7c2d4206c03a883dd9066d920c0aa5e3a0e4f1d6d1a1c3d8e4c0a9b8f7e6d5c4"
  )
})

/**
 * The `data` of every event (EVENT-1), with the fields in the order in which they are sent. Other fields of a logged event are internal and
 * never sent.
 */
export const eventPayloads = {
  "purchase.completed": Schema.Struct({
    ...purchase,
    licenseKey: text("The license.", "7K3MW-9QXRT-2HVBN-5CJPD-8FGZ4")
  }),
  "purchase.pending_approval": Schema.Struct({
    ...purchase,
    approvalId: text("The approval that waits for the owner's decision.", "apr_01j9zq5k2f8h3m6n7p0r4s")
  }),
  "purchase.rejected": unapproved,
  "purchase.expired": unapproved,
  "purchase.refunded": Schema.Struct({
    ...purchase,
    renewalId: textOrNull("The refunded renewal; null if the purchase was refunded.", "ren_01j9zq5k2f8h3m6n7p0r4s"),
    reason: textOrNull("The reason, if one was given.", "It does not work with our files.")
  }),
  "subscription.renewed": subscription,
  "subscription.cancelled": subscription,
  "soul.created": soul,
  "soul.updated": soul,
  "soul.downloaded": soul,
  "listing.approved": Schema.Struct({ ...listing, changes }),
  "listing.rejected": Schema.Struct({
    ...listing,
    changes,
    reason: Schema.optionalKey(text("The reviewer's reason.", "The install URL does not answer.")),
    code
  }),
  "listing.suspended": Schema.Struct({
    ...listing,
    reason: Schema.optionalKey(text("The operator's reason.", "It is not what it claims to be.")),
    code
  }),
  "release.published": Schema.Struct(releaseFields),
  "release.quarantined": Schema.Struct({
    ...releaseFields,
    reason: Schema.optionalKey(text("Why it is not for sale.", "It reads credentials and sends them elsewhere.")),
    code
  }),
  "advisory.published": advisory,
  "deposit.confirmed": Schema.Struct({
    txHash: text("The transaction.", "7c2d4206c03a883dd9066d920c0aa5e3a0e4f1d6d1a1c3d8e4c0a9b8f7e6d5c4"),
    address: text("The deposit address that received it.", "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"),
    amount: money("The credited amount."),
    currency: usdt
  }),
  "withdrawal.completed": withdrawal,
  "withdrawal.failed": withdrawal,
  "agent.frozen": Schema.Struct({
    agentId: text("The agent.", "agt_01j9zq5k2f8h3m6n7p0r4s"),
    name: text("The agent's name.", "Shopping agent"),
    reason: textOrNull("The reason, if one was given.", "It bought items that nobody requested."),
    frozenAt: time("When it was frozen.")
  }),
  "key.rotation_due": Schema.Struct({
    keyId: text("The key.", "key_01j9zq5k2f8h3m6n7p0r4s"),
    name: text("The key's name.", "CI"),
    prefix: text("The first characters of the key.", "amk_4fTgRq1Z"),
    agentId: textOrNull("The agent that uses the key; null if the owner does.", "agt_01j9zq5k2f8h3m6n7p0r4s"),
    rotationDueAt: time("90 days after the key was created.")
  }),
  "webhook.test": Schema.Struct({
    webhookId: text("The tested subscription.", "whk_01j9zq5k2f8h3m6n7p0r4s")
  })
} as const satisfies Record<WebhookEvent, Schema.Struct<Schema.Struct.Fields>>
