import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/usageFailure.ts"
import { report } from "../terminal/report.ts"
import { accountFields } from "./accountFields.ts"
import { ask } from "./session.ts"

const update = Command.make(
  "update",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Shown as author and creator"), Flag.optional),
    email: Flag.String("email").pipe(Flag.withDescription("Never shown to others"), Flag.optional),
    seller: Flag.Boolean("seller").pipe(Flag.withDescription("Whether the account sells"), Flag.optional)
  },
  ({ email, name, seller }) =>
    Effect.gen(function* () {
      const patch = {
        name: Option.getOrUndefined(name),
        email: Option.getOrUndefined(email),
        seller: Option.getOrUndefined(seller)
      }
      if (Object.values(patch).every((value) => value === undefined))
        return yield* usageFailure("nothing to change was given")
      const account = yield* ask((market, options) => market.account.update(patch, options))
      return yield* report(account, (page) => accountFields(page, account))
    })
).pipe(Command.withDescription("Change the account: its name, its e-mail address, whether it sells"))

export const accountCommand = Command.make("account").pipe(
  Command.withDescription("The account behind the key"),
  Command.withSubcommands([update])
)
