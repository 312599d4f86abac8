import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { askOnce } from "../orders/askOnce.ts"
import { idempotencyKeyFlag } from "../orders/idempotencyKeyFlag.ts"
import { confirm } from "../terminal/confirm.ts"
import { report } from "../terminal/report.ts"
import { yesFlag } from "../terminal/yesFlag.ts"
import { amountOf } from "./amountOf.ts"
import { withdrawalFields } from "./withdrawalFields.ts"

export const withdrawCommand = Command.make(
  "withdraw",
  {
    amount: Argument.String("amount").pipe(Argument.withDescription("In USDT; the fee comes on top")),
    address: Argument.String("address").pipe(Argument.withDescription("The TRON address to pay to")),
    yes: yesFlag,
    idempotencyKey: idempotencyKeyFlag
  },
  ({ address, amount, idempotencyKey, yes }) =>
    Effect.gen(function* () {
      const exact = yield* amountOf("amount", amount)
      yield* confirm(`Pay ${exact} USDT to ${address}? What is paid out cannot be called back.`, yes)
      const order = `withdraw ${exact} ${address}`
      const made = yield* askOnce(order, Option.getOrUndefined(idempotencyKey), (market, options) =>
        market.wallet.withdraw({ amount: exact, destinationAddress: address }, options)
      )
      yield* report(made, (page) => withdrawalFields(page, made))
    })
).pipe(Command.withDescription("Pay out to a TRON address. Shows it and asks; needs an owner's FULL key"))
