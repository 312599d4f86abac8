import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { findItem } from "../listings/findItem.ts"
import { typeFlag } from "../listings/typeFlag.ts"
import { askOnce } from "../orders/askOnce.ts"
import { idempotencyKeyFlag } from "../orders/idempotencyKeyFlag.ts"
import { confirm } from "../terminal/confirm.ts"
import { fields } from "../terminal/fields.ts"
import { report } from "../terminal/report.ts"
import { yesFlag } from "../terminal/yesFlag.ts"

export const buyCommand = Command.make(
  "buy",
  {
    item: Argument.String("item").pipe(Argument.withDescription("A skill's id or slug, or a SOUL's slug")),
    type: Flag.optional(typeFlag),
    yes: yesFlag,
    idempotencyKey: idempotencyKeyFlag
  },
  ({ idempotencyKey, item: name, type, yes }) =>
    Effect.gen(function* () {
      const item = yield* findItem(name, Option.getOrUndefined(type))
      yield* confirm(`Buy ${item.name} from ${item.seller} for ${item.price}?`, yes || item.isFree)
      const bought = yield* askOnce(item.id, Option.getOrUndefined(idempotencyKey), (market, options) =>
        market.skills.buy({ skillId: item.id }, options)
      )
      yield* report(bought, (page) =>
        fields(page, [
          ["bought", item.name],
          ["price", item.price],
          ["status", bought.status],
          ["purchase", bought.purchaseId],
          ["licence", bought.licenseKey],
          ["note", bought.message]
        ])
      )
    })
).pipe(
  Command.withDescription(
    "Buy a skill or a SOUL. Shows the price and asks; repeated after a crash or a time-out it buys once."
  ),
  Command.withExamples([{ command: "agent-marketplace buy mail-sorter --yes", description: "Without being asked" }])
)
