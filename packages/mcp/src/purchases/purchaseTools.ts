import type { Marketplace } from "@agent-marketplace/client"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import type { CallOptions } from "@agent-marketplace/client/requests/Send"
import type { Purchase } from "@agent-marketplace/client/wire/Endpoints"
import { Schema } from "effect"
import { Argument } from "../tools/Argument.ts"
import { marketTool, otherUsersTexts } from "../tools/MarketTool.ts"
import type { Interaction } from "../tools/Interaction.ts"
import { pageArguments, pagination } from "../tools/paging.ts"
import { continued, findWaiting, requestApproval } from "./waitingPurchase.ts"

const { String: Text, Finite } = Schema

const purchase = {
  purchaseId: Text,
  itemId: Text.annotate({ description: "lst_… of a skill, soul_… of a SOUL." }),
  item: Schema.Struct({ name: Text, slug: Text, category: Text, seller: Text }),
  amount: Finite.annotate({ description: "The price, in currency." }),
  fee: Finite,
  currency: Text,
  status: Text.annotate({ description: "completed; pending: awaits the owner's approval; refunded; failed." }),
  licenseKey: Schema.NullOr(Text).annotate({ description: "Null until the purchase is completed." }),
  licenseType: Text.annotate({ description: "perpetual, subscription or free." }),
  isValid: Schema.Boolean.annotate({ description: "Whether the license is valid now." }),
  purchasedAt: Text
}

const purchaseOf = ({ id, skill, ...rest }: Purchase) => ({
  ...rest,
  purchaseId: id,
  itemId: skill.id,
  item: { ...skill, seller: skill.creator }
})

const nextSteps: Readonly<Record<string, (itemId: string, purchaseId: string, url?: string) => string>> = {
  completed: (itemId) =>
    itemId.startsWith("soul_")
      ? "Bought. inspect_soul has the text; keep the license."
      : "Bought. inspect_skill has installUrl now; keep the license.",
  pending_approval: (_, purchaseId, url) =>
    `Tell the owner that purchase ${purchaseId} waits for approval${url === undefined ? "" : ` at ${url}`} and that its price is held meanwhile; it expires after 7 days. Do not buy it again: get_purchase ${purchaseId} tells when it was decided.`
}

/** The pricing model if the buyer states none (CLIENT-13). For a subscription it must be stated, because it is charged every 30 days. */
const statedModel = async (market: Marketplace, itemId: string, options: CallOptions) => {
  const item = await market.skills.get(itemId, options).catch((error: unknown) => {
    // The item may no longer be on sale: the result is then that of the purchase, which may be an earlier one with the same key.
    if (error instanceof MarketplaceError && error.statusCode === 404) return undefined
    throw error
  })
  if (item === undefined || item.pricingModel !== "subscription") return item?.pricingModel
  const { price, pricingModel } = item
  throw new MarketplaceError({
    code: "PRICE_CHANGED",
    statusCode: 409,
    message: `It is a subscription for ${price} every 30 days: state pricingModel`,
    details: { price, pricingModel }
  })
}

interface Terms {
  readonly itemId: string
  readonly maxPrice: number
  readonly pricingModel?: "one_time" | "free" | "subscription" | undefined
  readonly idempotencyKey: string
}

/** Buys, or reads the purchase that an earlier call with the same arguments made (MCP-12). */
const buyOrContinue = async (
  market: Marketplace,
  { idempotencyKey, itemId: named, maxPrice, pricingModel }: Terms,
  options: CallOptions,
  { requestState }: Interaction
) => {
  if (requestState !== undefined) {
    const { id: purchaseId, licenseKey, skill, status } = await continued(market, requestState, named, options)
    return {
      purchaseId,
      skillId: skill.id,
      licenseKey,
      status: status === "pending" ? "pending_approval" : status,
      message: undefined
    }
  }
  const terms = {
    skillId: named,
    maxPrice,
    pricingModel: pricingModel ?? (await statedModel(market, named, options))
  }
  return market.skills.buy(terms, { ...options, idempotencyKey })
}

const buy = marketTool({
  name: "buy",
  title: "Buy a skill or SOUL",
  description:
    "Buys one item with the account's USDT, within the owner's spending policy. The idempotencyKey stands for one intention to buy: make it up before the first call, and use the very same key again whenever you repeat that purchase (after a time-out, an error, a restart, or when you are not sure whether it happened). The same key never buys twice and gives the first answer again for 24 hours. Take a new key only for a new intention. Look at the price with inspect_skill or inspect_soul first, and state it as maxPrice: a higher price, or another pricingModel than the one that you state, is refused with PRICE_CHANGED and nothing is bought. A subscription is charged every 30 days and must be stated as pricingModel. The result is completed, with a license, or pending_approval, when the owner has to agree first.",
  effects: "spends",
  openWorld: true,
  input: {
    itemId: Argument.matching(
      "^[A-Za-z0-9_-]{1,110}$",
      "must be an id (lst_… or soul_…) or a skill's slug",
      "The id of a skill (lst_…) or of a SOUL (soul_…), or a skill's slug."
    ),
    maxPrice: Argument.amount("The most to pay, in USDT: the price that you have seen; 0 for a free item."),
    pricingModel: Argument.optional(
      Argument.choice(
        ["one_time", "free", "subscription"],
        "The model that you have seen; required for a subscription."
      )
    ),
    idempotencyKey: Argument.matching(
      "^[!-~]{1,255}$",
      "must be 1 to 255 letters, digits and signs of ASCII, without blanks",
      "Names this intention to buy, a UUID or task-42-mail-sorter for instance. Repeat it with the call, never reuse it for another purchase."
    )
  },
  output: {
    status: Text.annotate({ description: "completed or pending_approval." }),
    purchaseId: Text,
    itemId: Text,
    licenseKey: Schema.NullOr(Text),
    message: Schema.optionalKey(Text),
    approvalId: Schema.optionalKey(Text).annotate({ description: "The approval that a pending purchase waits for." }),
    approvalUrl: Schema.optionalKey(Text).annotate({ description: "The page where the owner decides about it." }),
    next: Text.annotate({ description: "What to do now." })
  },
  call: async (market, input, options, interaction) => {
    const bought = await buyOrContinue(market, input, options, interaction)
    const { licenseKey, message, purchaseId, skillId: itemId, status } = bought
    const waiting =
      status === "pending_approval" ? await findWaiting(market, purchaseId, interaction, options) : undefined
    const required = waiting === undefined ? undefined : requestApproval(waiting, interaction)
    if (required !== undefined) return required
    return {
      status,
      purchaseId,
      itemId,
      licenseKey,
      ...(message === undefined ? {} : { message }),
      ...(waiting === undefined ? {} : { approvalId: waiting.approval.id }),
      ...(waiting?.url === undefined ? {} : { approvalUrl: waiting.url }),
      next: nextSteps[status]?.(itemId, purchaseId, waiting?.url) ?? "See get_purchase."
    }
  }
})

const listPurchases = marketTool({
  name: "list_purchases",
  title: "List purchases",
  description: `The account's purchases, newest first, with licenses. ${otherUsersTexts}`,
  effects: "reads",
  openWorld: true,
  input: pageArguments,
  output: { purchases: Schema.Array(Schema.Struct(purchase)), pagination },
  call: async (market, { limit = 10, ...input }, options) => {
    const found = await market.purchases.list({ ...input, limit }, options)
    return { purchases: found.purchases.map(purchaseOf), pagination: found.pagination }
  }
})

const getPurchase = marketTool({
  name: "get_purchase",
  title: "Get a purchase",
  description: `One purchase: its status and its license. ${otherUsersTexts}`,
  effects: "reads",
  openWorld: true,
  input: { purchaseId: Argument.id("pur_", "From buy or list_purchases.") },
  output: purchase,
  call: async (market, { purchaseId }, options) => purchaseOf(await market.purchases.get(purchaseId, options))
})

const validateLicense = marketTool({
  name: "validate_license",
  title: "Validate a license",
  description:
    "For sellers: whether a buyer's license for an item of this account is valid now. An unknown license is not valid. Needs a key with SELLER or FULL permission.",
  effects: "reads",
  openWorld: false,
  input: {
    licenseKey: Argument.text(1, 100, "Case, hyphens and blanks do not matter."),
    itemId: Argument.optional(Argument.text(1, 100, "Only a license for this item is valid."))
  },
  output: {
    valid: Schema.Boolean,
    purchaseId: Schema.NullOr(Text),
    itemId: Schema.NullOr(Text),
    licenseType: Schema.NullOr(Text),
    status: Schema.NullOr(Text),
    expiresAt: Schema.NullOr(Text)
  },
  call: async (market, { itemId, licenseKey }, options) => {
    const { skillId, ...rest } = await market.licenses.validate({ licenseKey, skillId: itemId }, options)
    return { ...rest, itemId: skillId }
  }
})

/** Tools for purchases (MCP-3). */
export const purchaseTools = [buy, listPurchases, getPurchase, validateLicense]
