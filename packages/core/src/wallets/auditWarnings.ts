import { Usdt } from "../money/Usdt.ts"
import type { Debt } from "./WalletStore.ts"

/** What an audit reports though the books are right (DEBT-4). `platform` is the platform's balance in 10⁻⁶ USDT. */
export const auditWarnings = (platform: bigint, debts: ReadonlyArray<Debt>): ReadonlyArray<string> => [
  ...(platform < 0n ? [`the platform account is negative: ${Usdt.format(platform)} USDT`] : []),
  ...debts.map(({ accountId, amount }) => `${accountId} owes the platform ${Usdt.format(amount)} USDT for refunds`)
]
