import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Difference, Reconciliation } from "@agent-marketplace/tron/treasury/Reconciliation"
import { reconcile } from "@agent-marketplace/tron/treasury/Reconciliation"
import { Effect, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import type { Page } from "../terminal/CliContext.ts"
import { report } from "../terminal/report.ts"
import { fields, table } from "../terminal/table.ts"
import { onTreasury, treasury } from "./Treasury.ts"

const differenceData = ({ address, expected, found, where }: Difference) => ({
  where,
  address,
  expected: Usdt.format(expected),
  found: Usdt.format(found),
  difference: Usdt.format(found - expected)
})

const orNull = (amount: Usdt | null): string | null => (amount === null ? null : Usdt.format(amount))

const reconciliationData = (found: Reconciliation) => ({
  agrees: found.differences.length === 0,
  network: found.network,
  block: found.block,
  owed: {
    wallets: Usdt.format(found.owed.wallets),
    platform: Usdt.format(found.owed.platform),
    held: Usdt.format(found.owed.held),
    unattributed: Usdt.format(found.owed.unattributed),
    total: Usdt.format(found.owed.wallets + found.owed.platform + found.owed.held + found.owed.unattributed)
  },
  own: Usdt.format(found.own),
  held: {
    addresses: Usdt.format(found.held.addresses),
    hotWallet: Usdt.format(found.held.hotWallet),
    coldWallet: orNull(found.held.coldWallet),
    formerWallets: orNull(found.held.formerWallets),
    total: Usdt.format(Object.values(found.held).reduce<bigint>((sum, each) => sum + (each ?? 0n), 0n))
  },
  underWay: {
    deposits: Usdt.format(found.underWay.deposits),
    withdrawals: Usdt.format(found.underWay.withdrawals),
    sweeps: Usdt.format(found.underWay.sweeps)
  },
  differences: found.differences.map(differenceData)
})

const reconciliationText = (page: Page, found: Reconciliation): string => {
  const { differences, held, own, owed, underWay } = reconciliationData(found)
  const summary = fields(page, [
    ["final block", found.block],
    ["owed to wallets", owed.wallets],
    ["earned by the service", owed.platform],
    ["deposits that are held", owed.held],
    ["rejected deposits", owed.unattributed],
    ["the operator's own funds", own],
    [`held by ${found.addresses} addresses`, held.addresses],
    ["held by the hot wallet", held.hotWallet],
    ["held by the cold wallet", held.coldWallet],
    ["held by former wallets", held.formerWallets],
    ["deposits not credited yet", underWay.deposits],
    ["withdrawals paid, not yet recorded", underWay.withdrawals],
    ["differences", differences.length]
  ])
  if (differences.length === 0) return summary
  const rows = table(page, differences, [
    { title: "Where", value: ({ where }) => where },
    { title: "Address", value: ({ address }) => address ?? "" },
    { title: "Expected", value: ({ expected }) => expected, right: true },
    { title: "Found", value: (row) => row.found, right: true },
    { title: "Difference", value: ({ difference }) => difference, right: true }
  ])
  return `${summary}\n\n${rows}`
}

const own = Flag.String("own").pipe(
  Flag.withDescription(
    "USDT in the hot and the cold wallet that belong to the operator; negative if earnings were withdrawn"
  ),
  Flag.withDefault("0")
)

const signedAmount = (text: string): Result.Result<bigint, string> => {
  const amount = Usdt.parse(text.replace(/^-/, ""))
  return Result.map(amount, (value) => (text.startsWith("-") ? -value : value))
}

/** Compares what the ledger owes with the balances on the chain (CLI-13); fails if they differ. */
export const reconcileCommand = Command.make("reconcile", { own }, (flags) =>
  Effect.gen(function* () {
    const ownAmount = signedAmount(flags.own)
    if (Result.isFailure(ownAmount)) return yield* usageFailure(`--own ${ownAmount.failure}`)
    const market = yield* treasury
    const { connection, hotWallet } = market
    const found = yield* onTreasury(market, reconcile(connection, { hotWallet, own: ownAmount.success }))
    yield* report(reconciliationData(found), (page) => reconciliationText(page, found))
    const count = found.differences.length
    if (count === 0) return
    const message = `the chain and the ledger differ in ${count} ${count === 1 ? "place" : "places"}`
    return yield* new CommandFailure({ code: "DIFFERENCES", message, exitCode: exitCodes.failure })
  })
).pipe(
  Command.withDescription("Compare what the ledger owes with what the deposit addresses and the market's wallets hold")
)
