import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { notice, report } from "../terminal/report.ts"
import { adminSend } from "./adminSend.ts"
import { energyCommand } from "./EnergyCommand.ts"
import { treasurySetCommand } from "./TreasurySetCommand.ts"
import type { Treasury, UnknownTransfer } from "./treasuryText.ts"
import { treasuryText } from "./treasuryText.ts"

/** What an unknown transfer was. */
type Match =
  { readonly txid: string; readonly withdrawalId: string } | { readonly txid: string; readonly explanation: string }

const read = adminSend<Treasury>({ method: "GET", path: "/api/v1/admin/treasury" })

const reason = Flag.String("reason").pipe(Flag.withDescription("Why, for the action log"))

/** `transaction=value`. */
const pair = (flag: string, text: string) => {
  const [, txid, value] = /^([0-9a-f]{64})=(.+)$/s.exec(text) ?? []
  return txid === undefined || value === undefined
    ? usageFailure(`--${flag} must be TRANSACTION=VALUE, with the 64 digits of a transaction`)
    : Effect.succeed({ txid, value })
}

/** Each transfer with the oldest withdrawal that it may have paid; no withdrawal twice. */
const suggestions = (transfers: ReadonlyArray<UnknownTransfer>): ReadonlyArray<Match> => {
  const used = new Set<string>()
  return transfers.flatMap(({ candidates, txHash }) => {
    const withdrawalId = candidates.find((candidate) => !used.has(candidate))
    if (withdrawalId === undefined) return []
    used.add(withdrawalId)
    return [{ txid: txHash, withdrawalId }]
  })
}

const resume = Command.make(
  "resume",
  {
    match: Flag.String("match").pipe(
      Flag.withDescription("TRANSACTION=WITHDRAWAL: the transfer paid this withdrawal"),
      Flag.between(0, 100)
    ),
    explain: Flag.String("explain").pipe(
      Flag.withDescription("TRANSACTION=TEXT: what the transfer was, if it paid no withdrawal"),
      Flag.between(0, 100)
    ),
    suggested: Flag.Boolean("suggested").pipe(
      Flag.withoutNegation,
      Flag.withDescription("Match each transfer with the oldest waiting withdrawal of its amount and receiver"),
      Flag.withDefault(false)
    ),
    reason,
    yes: yesFlag
  },
  ({ explain, match, reason, suggested, yes }) =>
    Effect.gen(function* () {
      const given: ReadonlyArray<Match> = [
        ...(yield* Effect.forEach(match, (text) =>
          Effect.map(pair("match", text), ({ txid, value }) => ({ txid, withdrawalId: value }))
        )),
        ...(yield* Effect.forEach(explain, (text) =>
          Effect.map(pair("explain", text), ({ txid, value }) => ({ txid, explanation: value }))
        ))
      ]
      const named = new Set(given.map(({ txid }) => txid))
      const rest = suggested ? (yield* read).unknownTransfers.filter(({ txHash }) => !named.has(txHash)) : []
      const matches = [...given, ...suggestions(rest)].slice(0, 100)
      for (const each of matches)
        yield* notice(
          "withdrawalId" in each ? `${each.txid} paid ${each.withdrawalId}` : `${each.txid}: ${each.explanation}`
        )
      yield* confirm(`Settle these ${matches.length} transfers? Withdrawals that they paid are completed.`, yes)
      const body = { matches, reason }
      const left = yield* adminSend<Treasury>({ method: "POST", path: "/api/v1/admin/treasury/resume", body })
      yield* report(left, treasuryText(left))
    })
).pipe(Command.withDescription("Match transfers that the books do not know, or explain them, so that payouts go on"))

/** The operator's commands for the service's own wallets (TREASURY-1, TREASURY-3, TREASURY-5, TREASURY-6). */
export const treasuryCommands = [
  Command.make("treasury", {}, () => Effect.flatMap(read, (found) => report(found, treasuryText(found)))).pipe(
    Command.withDescription("Show the service's own wallets, their limits, and what stops payouts"),
    Command.withSubcommands([treasurySetCommand, energyCommand, resume])
  )
] as const
