import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { report } from "../terminal/report.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"

interface AdminAccount {
  readonly id: string
  readonly name: string
  readonly tier: string
}

export const setTierCommand = Command.make(
  "set-tier",
  {
    id: Argument.String("account").pipe(Argument.withDescription("An account's id, usr_…")),
    tier: Argument.Literals("tier", ["free", "pro", "enterprise"]).pipe(
      Argument.withDescription("100, 1,000, or any number of requests an hour")
    ),
    hourlyLimit: Flag.Int("hourly-limit").pipe(
      Flag.withDescription("How many requests an hour, instead of the tier's number"),
      Flag.optional
    )
  },
  ({ hourlyLimit, id, tier }) =>
    Effect.gen(function* () {
      const account = yield* adminSend<AdminAccount>({
        method: "PATCH",
        path: `/api/v1/admin/accounts/${encodeURIComponent(id)}`,
        body: { tier, hourlyLimit: Option.getOrUndefined(hourlyLimit) }
      })
      yield* report(account, () => `${plain.line(account.name)} (${account.id}) is ${account.tier}.`)
    })
).pipe(Command.withDescription("Set how many requests an account may make"))
