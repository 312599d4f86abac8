import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { report } from "../terminal/report.ts"
import { adminSend } from "./adminSend.ts"
import type { Treasury } from "./treasuryText.ts"
import { treasuryText } from "./treasuryText.ts"

const orNone = (text: string): string | null => (text === "none" ? null : text)

type Given = Readonly<
  Record<"ceiling" | "from" | "to" | "topUpBelow", Option.Option<string>> & {
    readonly wallet: Option.Option<"cold" | "hot">
  }
>

interface Change {
  readonly question: string
  readonly path: string
  readonly body: Readonly<Record<string, string | null>>
}

/** One change sets either a wallet, with both addresses, or limits. */
const changeOf = ({ ceiling, from, to, topUpBelow, wallet }: Given) => {
  const limits = {
    ...(Option.isSome(ceiling) ? { ceiling: orNone(ceiling.value) } : {}),
    ...(Option.isSome(topUpBelow) ? { topUpBelow: orNone(topUpBelow.value) } : {})
  }
  const names = Object.entries(limits).map(([name, value]) => `${name} to ${value ?? "none"}`)
  if (Option.isNone(wallet)) {
    if (Option.isSome(from) || Option.isSome(to)) return usageFailure("--from and --to need a wallet: hot or cold")
    if (names.length === 0) return usageFailure("name a wallet (hot or cold), or give --ceiling or --top-up-below")
    return Effect.succeed<Change>({
      question: `Set ${names.join(" and ")} (USDT)?`,
      path: "/api/v1/admin/treasury/limits",
      body: limits
    })
  }
  if (names.length > 0) return usageFailure("--ceiling and --top-up-below are set without naming a wallet")
  if (Option.isNone(from) || Option.isNone(to)) return usageFailure("--from and --to must be set with a wallet")
  return Effect.succeed<Change>({
    question: `Change the ${wallet.value} wallet from ${from.value} to ${to.value}? Sweeps and payouts will use it.`,
    path: "/api/v1/admin/treasury/wallets",
    body: { wallet: wallet.value, from: orNone(from.value), to: orNone(to.value) }
  })
}

/** Changes a wallet, or the limits of the hot wallet's balance (TREASURY-1, TREASURY-5). */
export const treasurySetCommand = Command.make(
  "set",
  {
    wallet: Argument.Literals("wallet", ["hot", "cold"]).pipe(
      Argument.withDescription("Which wallet, with --from and --to"),
      Argument.optional
    ),
    from: Flag.String("from").pipe(Flag.withDescription("The present address, or none"), Flag.optional),
    to: Flag.String("to").pipe(Flag.withDescription("The new address, or none"), Flag.optional),
    ceiling: Flag.String("ceiling").pipe(
      Flag.withDescription(
        "USDT: at this balance of the hot wallet or above it, sweeps go to the cold wallet; or none"
      ),
      Flag.optional
    ),
    topUpBelow: Flag.String("top-up-below").pipe(
      Flag.withDescription("USDT: below this balance the hot wallet must be topped up; or none"),
      Flag.optional
    ),
    reason: Flag.String("reason").pipe(Flag.withDescription("Why, for the action log")),
    yes: yesFlag
  },
  ({ reason, yes, ...given }) =>
    Effect.gen(function* () {
      const { body, path, question } = yield* changeOf(given)
      yield* confirm(question, yes)
      const changed = yield* adminSend<Treasury>({ method: "POST", path, body: { ...body, reason } })
      yield* report(changed, treasuryText(changed))
    })
).pipe(
  Command.withDescription("Change the hot or the cold wallet, or the limits of the hot wallet, after a confirmation")
)
