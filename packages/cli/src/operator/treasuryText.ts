import type { Page } from "../terminal/CliContext.ts"
import { when } from "../terminal/format.ts"
import { fields, table } from "../terminal/table.ts"

export interface UnknownTransfer {
  readonly txHash: string
  readonly to: string
  readonly amount: string
  readonly at: string
  readonly candidates: ReadonlyArray<string>
}

/** The text for the service's own wallets. */
export interface Treasury {
  readonly token: string | null
  readonly hot: string | null
  readonly cold: string | null
  readonly ceiling: string | null
  readonly topUpBelow: string | null
  readonly hotBalance: string | null
  readonly coldBalance: string | null
  readonly needed: string
  readonly conditions: ReadonlyArray<{ readonly kind: string; readonly detail: string | null; readonly since: string }>
  readonly unknownTransfers: ReadonlyArray<UnknownTransfer>
}

const walletsText = (page: Page, found: Treasury): string =>
  fields(page, [
    ["hot wallet", found.hot ?? "not known yet"],
    ["USDT in it", found.hotBalance ?? "not known"],
    ["needed by open withdrawals", found.needed],
    ["ceiling", found.ceiling ?? "none"],
    ["top-up level", found.topUpBelow ?? "none"],
    ["cold wallet", found.cold ?? "none"],
    ["USDT in the cold wallet", found.cold === null ? null : (found.coldBalance ?? "not known")],
    ["token", found.token ?? "not known yet"],
    ["unknown transfers", found.unknownTransfers.length],
    ...found.conditions.map(({ detail, kind, since }) => [kind, `${detail ?? ""} (since ${when(since)})`] as const)
  ])

export const treasuryText =
  (found: Treasury) =>
  (page: Page): string => {
    const wallets = walletsText(page, found)
    if (found.unknownTransfers.length === 0) return wallets
    const rows = table(page, found.unknownTransfers, [
      { title: "Transaction", value: ({ txHash }) => txHash },
      { title: "To", value: ({ to }) => to },
      { title: "USDT", value: ({ amount }) => amount, right: true },
      { title: "When", value: ({ at }) => when(at) },
      { title: "May have paid", value: ({ candidates }) => candidates.join(" "), yields: true }
    ])
    return `${rows}\n\n${wallets}\n\nPayouts are stopped until each transfer is matched or explained (operator treasury resume).`
  }
