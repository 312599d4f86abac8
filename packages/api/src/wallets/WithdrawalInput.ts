import { UsdtInput } from "@agent-marketplace/core/money/Usdt"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { withBodyRule } from "../wire/BodyRule.ts"
import { field } from "../wire/Field.ts"

/** The body of a withdrawal (WITHDRAWAL-1); the market itself checks the minimum and the address. */
export const WithdrawalInput = Schema.Struct({
  amount: field(UsdtInput, "What is to arrive, in USDT; the fee comes on top.", "50.00"),
  destinationAddress: field(
    boundedText({ min: 1, max: 100 }),
    "A valid TRON address: not the token's contract, not one of the service's own.",
    "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
  )
})
  .annotate({ identifier: "WithdrawalInput", description: "A withdrawal to make." })
  .pipe(withBodyRule("withdrawal"))
