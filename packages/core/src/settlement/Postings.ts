import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { LedgerAccount, LineType } from "../wallets/Ledger.ts"
import { lockedOf, walletOf } from "../wallets/Ledger.ts"
import type { Change } from "./Change.ts"

interface Posting {
  readonly amount: Usdt
  /** The id of the purchase, renewal, withdrawal or deposit behind it. */
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

/** Every kind of money movement. A posting of zero makes no line (LEDGER-4). */
export const Postings = {
  deposit: (to: AccountId, posting: Posting) => line("deposit", "chain", walletOf(to), posting),
  /** A deposit that is not decided yet. */
  depositHeld: (posting: Posting) => line("deposit_held", "chain", "held", posting),
  depositReleased: (to: AccountId, posting: Posting) => line("deposit", "held", walletOf(to), posting),
  depositRejected: (posting: Posting) => line("deposit_rejected", "held", "unattributed", posting),
  hold: (of: AccountId, posting: Posting) => line("hold", walletOf(of), lockedOf(of), posting),
  release: (of: AccountId, posting: Posting) => line("release", lockedOf(of), walletOf(of), posting),
  /** The full price to the seller, then the platform's fee from the seller. */
  sale: (buyer: AccountId, seller: AccountId, posting: Posting, fee: Usdt) => [
    ...line("purchase", walletOf(buyer), walletOf(seller), posting),
    ...line("sale_fee", walletOf(seller), "platform", { ...posting, amount: fee })
  ],
  /** The reverse of a sale. `covered` is the amount that the platform lends to a seller without sufficient money. */
  refund: (buyer: AccountId, seller: AccountId, posting: Posting, fee: Usdt, covered: Usdt) => [
    ...line("fee_return", "platform", walletOf(seller), { ...posting, amount: fee }),
    ...line("debt", "platform", walletOf(seller), { ...posting, amount: covered }),
    ...line("refund", walletOf(seller), walletOf(buyer), posting)
  ],
  /** A seller repays what the platform lent. */
  repayment: (by: AccountId, posting: Posting) => line("repayment", walletOf(by), "platform", posting),
  withdrawal: (of: AccountId, posting: Posting, fee: Usdt) => [
    ...line("withdrawal", walletOf(of), "chain", posting),
    ...line("withdrawal_fee", walletOf(of), "platform", { ...posting, amount: fee })
  ]
}
