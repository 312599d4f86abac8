import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { sendOnce, idempotencyKeyFlag } from "../idempotency/sendOnce.ts"
import type { Item, ItemType } from "../listings/findItem.ts"
import { findItem, typeFlag } from "../listings/findItem.ts"
import type { Page } from "../terminal/CliContext.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { amountOf } from "../terminal/format.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"
import { install, installDirFlag, installedFields } from "./InstallCommand.ts"
import { switchFlag } from "../terminal/switchFlag.ts"

const notInstalled = (purchaseId: string) => (failure: CommandFailure) =>
  new CommandFailure({
    ...failure,
    message: `bought as ${purchaseId}, but not installed: ${failure.message}`,
    hint: `\`agent-marketplace install ${purchaseId}\` tries again.`
  })

/** Refuses an item that costs more than --max-price, before any prompt. The market checks the price again when it sells. */
const affordable = (item: Item, most: string | undefined) => {
  if (most === undefined) return Effect.succeed(item)
  const [price, bound] = [Usdt.parse(item.amount), Usdt.parse(most)]
  if (Result.isSuccess(price) && Result.isSuccess(bound) && price.success <= bound.success) return Effect.succeed(item)
  return Effect.fail(
    new CommandFailure({
      code: "PRICE_ABOVE_MAXIMUM",
      message: `${item.name} costs ${item.price}, more than --max-price ${most}`,
      hint: "Raise --max-price to buy it.",
      exitCode: exitCodes.money
    })
  )
}

/** Shows the price and prompts (CLI-4). If the price changes meanwhile, nothing is bought: the user pays only a price that was confirmed. */
const agreement = (name: string, type: ItemType | undefined, yes: boolean, most: string | undefined) =>
  Effect.gen(function* () {
    const item = yield* affordable(yield* findItem(name, type), most)
    if (yes || item.isFree) return item
    const verb = item.pricingModel === "subscription" ? "Subscribe to" : "Buy"
    yield* confirm(`${verb} ${item.name} from ${item.seller} for ${item.price}?`, false)
    const now = yield* findItem(name, type)
    if (now.id === item.id && now.price === item.price) return item
    return yield* new CommandFailure({
      code: "PRICE_CHANGED",
      message: `nothing was bought: the price is now ${now.price}`,
      hint: "Run the command again to buy at this price.",
      exitCode: exitCodes.failure
    })
  })

export const buyCommand = Command.make(
  "buy",
  {
    item: Argument.String("item").pipe(Argument.withDescription("A skill's id or slug, or a SOUL's slug")),
    type: Flag.optional(typeFlag),
    yes: yesFlag,
    maxPrice: Flag.String("max-price").pipe(
      Flag.withDescription("The highest price to pay"),
      Flag.withMetavar("amount"),
      Flag.optional
    ),
    install: switchFlag("install", "Install it, once the purchase is completed"),
    installDir: installDirFlag,
    idempotencyKey: idempotencyKeyFlag
  },
  ({ idempotencyKey, install: installs, installDir, item: name, maxPrice, type, yes }) =>
    Effect.gen(function* () {
      const most = Option.isNone(maxPrice) ? undefined : yield* amountOf("--max-price", maxPrice.value)
      const item = yield* agreement(name, Option.getOrUndefined(type), yes, most)
      // The terms that the user has seen: the market refuses any others (BUY-4, BUY-5, CLIENT-13).
      const terms = { skillId: item.id, maxPrice: most ?? item.amount, pricingModel: item.pricingModel }
      const bought = yield* sendOnce(
        `buy ${Object.values(terms).join(" ")}`,
        Option.getOrUndefined(idempotencyKey),
        (market, options) => market.skills.buy(terms, options)
      )
      const boughtFields = (page: Page) =>
        fields(page, [
          ["bought", item.name],
          ["price", item.price],
          ["status", bought.status],
          ["purchase", bought.purchaseId],
          ["license", bought.licenseKey],
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
    "Buy a skill or a SOUL. Shows the price and asks for confirmation. If it is repeated after a crash or a time-out, it buys once."
  ),
  Command.withExamples([
    {
      command: "agent-marketplace buy mail-sorter --yes --max-price 10",
      description: "Without a confirmation, for at most 10 USDT"
    }
  ])
)
