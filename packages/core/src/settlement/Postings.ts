import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { LedgerAccount, LineType } from "../wallets/Ledger.ts"
import { lockedOf, walletOf } from "../wallets/Ledger.ts"
import type { Change } from "./Change.ts"

interface Posting {
  readonly amount: Usdt
  readonly reference: string
  readonly at: Timestamp
}

const line = (type: LineType, debit: LedgerAccount, credit: LedgerAccount, posting: Posting): ReadonlyArray<Change> =>
  posting.amount > 0n
    ? [
        {
          _tag: "Line",
          line: { type, debit, credit, amount: posting.amount, reference: posting.reference, at: posting.at }
        }
      ]
    : []

/** Every way in which money can move (LEDGER-4). A posting of nothing leaves no line. */
export const Postings = {
  deposit: (to: AccountId, posting: Posting) => line("deposit", "chain", walletOf(to), posting),
  hold: (of: AccountId, posting: Posting) => line("hold", walletOf(of), lockedOf(of), posting),
  release: (of: AccountId, posting: Posting) => line("release", lockedOf(of), walletOf(of), posting),
  /** The whole price to the seller, then the platform's share from the seller. */
  sale: (buyer: AccountId, seller: AccountId, posting: Posting, fee: Usdt) => [
    ...line("purchase", walletOf(buyer), walletOf(seller), posting),
    ...line("sale_fee", walletOf(seller), "platform", { ...posting, amount: fee })
  ],
  /** The reverse of a sale; `cover` is what the platform adds where the seller's money does not suffice. */
  refund: (buyer: AccountId, seller: AccountId, posting: Posting, fee: Usdt, cover: Usdt) => [
    ...line("fee_return", "platform", walletOf(seller), { ...posting, amount: fee }),
    ...line("cover", "platform", walletOf(seller), { ...posting, amount: cover }),
    ...line("refund", walletOf(seller), walletOf(buyer), posting)
  ],
  withdrawal: (of: AccountId, posting: Posting, fee: Usdt) => [
    ...line("withdrawal", walletOf(of), "chain", posting),
    ...line("withdrawal_fee", walletOf(of), "platform", { ...posting, amount: fee })
  ]
}
