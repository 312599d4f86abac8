import type { NewAccount } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { accountFields } from "../identity/AccountCommand.ts"
import { report } from "../terminal/report.ts"
import { adminSend } from "./adminSend.ts"

export const createAccountCommand = Command.make(
  "create-account",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Shown as author and creator")),
    email: Flag.String("email").pipe(Flag.withDescription("Never shown to others"), Flag.optional),
    seller: Flag.Boolean("seller").pipe(
      Flag.withoutNegation,
      Flag.withDescription("Allow the account to sell"),
      Flag.withDefault(false)
    )
  },
  ({ email, name, seller }) =>
    Effect.gen(function* () {
      const body = { name, email: Option.getOrUndefined(email), seller }
      const made = yield* adminSend<NewAccount>({ method: "POST", path: "/api/v1/accounts", body })
      yield* report(made, (page) => {
        const facts = accountFields(page, made.account, [["key", made.apiKey.key]])
        return page.isTerminal ? `${facts}\n\nThe key is shown only this once: store it now.` : facts
      })
    })
).pipe(Command.withDescription("Create an account and show its FULL key once"))
