import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { when } from "../terminal/format.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"
import { optionalText } from "../terminal/optionalText.ts"

export const validateLicenseCommand = Command.make(
  "validate-license",
  {
    licenseKey: Argument.String("license").pipe(Argument.withDescription("The buyer's license key")),
    item: optionalText("item", "Only a license for this item is valid, by its id")
  },
  ({ item, licenseKey }) =>
    Effect.gen(function* () {
      const input = { licenseKey, skillId: Option.getOrUndefined(item) }
      const check = yield* callMarket((market, options) => market.licenses.validate(input, options))
      yield* report(check, (page) =>
        fields(page, [
          ["valid", check.valid ? "yes" : "no"],
          ["purchase", check.purchaseId],
          ["item", check.skillId],
          ["license type", check.licenseType],
          ["status", check.status],
          ["bought", when(check.purchasedAt)],
          ["valid until", when(check.expiresAt)]
        ])
      )
    })
).pipe(Command.withDescription("For sellers: whether a buyer's license is valid now"))
