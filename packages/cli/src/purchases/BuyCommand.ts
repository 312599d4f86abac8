import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import type { ItemType } from "../listings/findItem.ts"
import { findItem } from "../listings/findItem.ts"
import { typeFlag } from "../listings/typeFlag.ts"
import { askOnce } from "../orders/askOnce.ts"
import { idempotencyKeyFlag } from "../orders/idempotencyKeyFlag.ts"
import { confirm } from "../terminal/confirm.ts"
import { fields } from "../terminal/fields.ts"
import { report } from "../terminal/report.ts"
import type { Page } from "../terminal/Surroundings.ts"
import { yesFlag } from "../terminal/yesFlag.ts"
import { install, installedFields } from "./install.ts"
import { installDirFlag } from "./installDirFlag.ts"

const notInstalled = (purchaseId: string) => (failure: CommandFailure) =>
  new CommandFailure({
    ...failure,
    message: `bought as ${purchaseId}, but not installed: ${failure.message}`,
    hint: `\`agent-marketplace install ${purchaseId}\` tries it again.`
  })

/** Shows the price and asks. What somebody agreed to is what is bought: a price that has changed meanwhile is not paid. */
const agreement = (name: string, type: ItemType | undefined, yes: boolean) =>
  Effect.gen(function* () {
    const item = yield* findItem(name, type)
    if (yes || item.isFree) return item
    yield* confirm(`Buy ${item.name} from ${item.seller} for ${item.price}?`, false)
    const now = yield* findItem(name, type)
    if (now.id === item.id && now.price === item.price) return item
    return yield* new CommandFailure({
      code: "PRICE_CHANGED",
      message: `nothing was bought: the price is now ${now.price}`,
      hint: "Run it again to agree to that.",
      exitCode: exitCodes.failure
    })
  })

export const buyCommand = Command.make(
  "buy",
  {
    item: Argument.String("item").pipe(Argument.withDescription("A skill's id or slug, or a SOUL's slug")),
    type: Flag.optional(typeFlag),
    yes: yesFlag,
    install: Flag.Boolean("install").pipe(
      Flag.withoutNegation,
      Flag.withDescription("Install it, once the purchase is completed"),
      Flag.withDefault(false)
    ),
    installDir: installDirFlag,
    idempotencyKey: idempotencyKeyFlag
  },
  ({ idempotencyKey, install: installs, installDir, item: name, type, yes }) =>
    Effect.gen(function* () {
      const item = yield* agreement(name, Option.getOrUndefined(type), yes)
      const bought = yield* askOnce(item.id, Option.getOrUndefined(idempotencyKey), (market, options) =>
        market.skills.buy({ skillId: item.id }, options)
      )
      const boughtFields = (page: Page) =>
        fields(page, [
          ["bought", item.name],
          ["price", item.price],
          ["status", bought.status],
          ["purchase", bought.purchaseId],
          ["licence", bought.licenseKey],
          ["note", bought.message]
        ])
      if (!installs || bought.status !== "completed") return yield* report(bought, boughtFields)
      const installed = yield* install({ purchaseId: bought.purchaseId, installDir }).pipe(
        Effect.mapError(notInstalled(bought.purchaseId))
      )
      return yield* report({ ...bought, installedPath: installed.installedPath }, (page) =>
        [boughtFields(page), installedFields(page, installed)].join("\n\n")
      )
    })
).pipe(
  Command.withDescription(
    "Buy a skill or a SOUL. Shows the price and asks; repeated after a crash or a time-out it buys once."
  ),
  Command.withExamples([{ command: "agent-marketplace buy mail-sorter --yes", description: "Without being asked" }])
)
