import { pricingModels } from "@agent-marketplace/core/listings/ListingFields"
import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import type { ErrorCode } from "./ErrorCode.ts"

const details = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.Struct(fields).annotate({ description: "More about the failure, for programs." })

const optional = Schema.optionalKey

const Issue = Schema.Struct({
  path: ResponseField.text("The dotted path of the field; empty for the whole.", "tags.0"),
  message: ResponseField.text("The rule that is broken.", "must be 1 to 40 characters")
}).annotate({ identifier: "Issue", description: "One issue of the request." })

export const noDetails = field(Schema.Record(Schema.String, Schema.Json), "Empty.", {})

const frozen = details({
  since: ResponseField.time("When it was frozen."),
  reason: ResponseField.textOrNull("The reason, if one was given.", "reported as stolen")
})

/** The `details` of codes that have any (ERROR-2, ERROR-4, ERROR-5, ERROR-7, ERROR-13, ERROR-14, ERROR-19, ERROR-20). */
export const detailsOf: { readonly [C in ErrorCode]?: Schema.Top } = {
  VALIDATION_ERROR: details({
    issues: Schema.Array(Issue).annotate({
      description: "All issues of the request.",
      examples: [[{ path: "name", message: "is required" }]]
    })
  }),
  INSUFFICIENT_BALANCE: details({
    required: ResponseField.text("What is needed, with its currency.", "12.50 USDT"),
    available: ResponseField.text("What can be spent, with its currency.", "3.00 USDT")
  }),
  LICENSE_REQUIRED: details({
    price: ResponseField.text("The item's price, in its currency.", "5.00"),
    itemId: ResponseField.text("What to buy: works as `skillId`.", "soul_01j9zq5k2f8h3m6n7p0r4s")
  }),
  INSUFFICIENT_PERMISSIONS: details({
    required: ResponseField.texts(
      "The required permission: scopes, or `owner`, `seller account`, `creator`, `license`, `admin`, `session`, `key`, `same origin`.",
      ["SELLER", "FULL"]
    )
  }),
  SPENDING_LIMIT_EXCEEDED: details({
    limit: ResponseField.choice(
      ["perTransaction", "daily", "weekly", "monthly", "category", "seller"],
      "The limit that would be exceeded.",
      "daily"
    ),
    allowed: optional(ResponseField.text("What is left within the limit, with its currency.", "7.50 USDT")),
    requested: optional(ResponseField.text("The requested amount, with its currency.", "12.50 USDT"))
  }),
  ACCOUNT_FROZEN: frozen,
  AGENT_FROZEN: frozen,
  QUOTA_EXCEEDED: details({
    quota: ResponseField.choice(
      ["souls", "listings", "agents", "keys", "webhooks", "releaseBytes"],
      "The kind of record whose quota is reached.",
      "souls"
    ),
    limit: ResponseField.count("How many the account may have.", 100),
    used: ResponseField.count("How many it has.", 100)
  }),
  WITHDRAWAL_REFUSED: details({
    rule: ResponseField.choice(
      ["allowListOnly", "newAddressDelayHours", "dailyLimit", "screening"],
      "The rule that forbids it.",
      "dailyLimit"
    )
  }),
  METHOD_NOT_ALLOWED: details({ allow: ResponseField.texts("The methods of this path.", ["GET"]) }),
  ALREADY_PURCHASED: details({
    purchaseId: ResponseField.text("The purchase that gave the license.", "pur_01j9zq5k2f8h3m6n7p0r4s")
  }),
  PRICE_CHANGED: details({
    price: ResponseField.money("The current price, in USDT.", "900.00"),
    pricingModel: ResponseField.choice(pricingModels, "The current pricing model.", "one_time")
  }),
  CONFLICT: details({
    state: ResponseField.text("The current state.", "pending_approval"),
    limit: optional(ResponseField.count("The most records there may be, if their number is the reason.", 10)),
    reason: optional(
      ResponseField.text("The reason, if the state does not say enough.", "the item is not for sale any more")
    ),
    updatedAt: optional(
      ResponseField.time("When the record was last changed, if the decision was about an earlier state.")
    ),
    purchaseId: optional(ResponseField.text("The purchase that waits for approval.", "pur_01j9zq5k2f8h3m6n7p0r4s"))
  }),
  NAME_TOO_SIMILAR: details({
    conflictsWith: ResponseField.text("The item whose name looks the same.", "lst_01j9zq5k2f8h3m6n7p0r4s")
  }),
  PAYLOAD_TOO_LARGE: details({ maxBytes: ResponseField.count("The largest body that is read, in bytes.", 1_048_576) }),
  RATE_LIMIT_EXCEEDED: details({
    resetAt: ResponseField.time("When the window ends."),
    limit: ResponseField.count("How many requests a window allows.", 100),
    window: ResponseField.text("The length of the window.", "1h")
  }),
  INTERNAL_ERROR: details({
    requestId: ResponseField.text("The response's X-Request-Id. Quote it when you report a problem.", "req_8f14e45f")
  }),
  SERVICE_UNAVAILABLE: details({
    requestId: ResponseField.text("The response's X-Request-Id. Quote it when you report a problem.", "req_8f14e45f")
  })
}
