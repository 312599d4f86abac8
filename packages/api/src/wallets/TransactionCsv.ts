import type { WalletTransaction } from "@agent-marketplace/core/wallets/WalletStore"
import { toTransaction } from "./WalletWire.ts"

const columns = ["id", "type", "amount", "balanceAfter", "reference", "createdAt", "agentId"] as const

const cell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** The export of transactions (LEDGER-3) in the form of RFC 4180: lines end in CRLF, a cell is quoted where it must be. */
export const TransactionCsv = {
  header: `${columns.join(",")}\r\n`,
  row: (line: WalletTransaction): string => {
    const shown = toTransaction(line)
    return `${columns.map((column) => cell(shown[column] ?? "")).join(",")}\r\n`
  }
} as const
