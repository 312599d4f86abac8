import { choice } from "@agent-marketplace/core/fields/InputRules"
import { pricingModels } from "@agent-marketplace/core/listings/ListingFields"
import { UsdtInput } from "@agent-marketplace/core/money/Usdt"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { flag, idOf, optional } from "../wire/Input.ts"

const skillId = idOf<string>()

/** The body of a buy (BUY-1). `autoInstall` concerns only the client: the server accepts and ignores it (BUY-18). */
export const BuyInput = Schema.Struct({
  skillId: field(
    skillId.annotateKey({ messageMissingKey: "is required" }),
    "The id of a skill or a soul, or a skill's slug.",
    "lst_01j9zq5k2f8h3m6n7p0r4s"
  ),
  autoInstall: field(optional(flag), "Whether the client installs it at once; false by default.", false),
  maxPrice: field(
    optional(UsdtInput),
    "The most to pay, in USDT. A higher price is refused as PRICE_CHANGED.",
    "12.50"
  ),
  pricingModel: field(
    optional(choice(pricingModels)),
    "The agreed pricing model. Any other model is refused as PRICE_CHANGED.",
    "one_time"
  )
}).annotate({ identifier: "BuyInput", description: "What to buy." })

export const LicenseInput = Schema.Struct({
  licenseKey: field(
    boundedText({ min: 1, max: 100 }),
    "The license key. Case, hyphens and blanks are ignored.",
    "7K3QX-0M9TB-V2H8D-4RZWN-C6Y1F"
  ),
  skillId: field(optional(skillId), "Only a license for this item is valid.", "lst_01j9zq5k2f8h3m6n7p0r4s")
}).annotate({ identifier: "LicenseInput", description: "A license to look up." })

/** The body of a refund (REFUND-1, REFUND-9). */
export const RefundInput = Schema.Struct({
  reason: field(
    optional(boundedText({ min: 1, max: 500 })),
    "The reason, which is sent to the buyer's and the seller's webhooks.",
    "It does not work."
  ),
  force: field(optional(flag), "Operator only: refund even if the seller then owes more than the limit.", false)
}).annotate({ identifier: "RefundInput", description: "Why a sale is refunded." })
