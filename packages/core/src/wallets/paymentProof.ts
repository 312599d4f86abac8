import type { Transfer } from "../chain/Chain.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Withdrawal } from "./Withdrawal.ts"

/** Proof that a transaction paid a withdrawal: what the token took from the amount, null if it took nothing. */
export interface PaymentProof {
  readonly tokenFee: Usdt | null
}

/**
 * Whether the transfers of one final transaction pay the withdrawal: those that the hot wallet sent add up to its amount, and the destination got
 * them, except for the token's own fee (WITHDRAWAL-23). Undefined if they do not.
 */
export const paymentProof = (
  transfers: ReadonlyArray<Transfer>,
  sentByUs: (transfer: Transfer) => boolean,
  { amount, destinationAddress }: Pick<Withdrawal, "amount" | "destinationAddress">
): PaymentProof | undefined => {
  let [sent, received] = [0n, 0n]
  for (const transfer of transfers) {
    if (!sentByUs(transfer)) continue
    sent += transfer.amount
    if (transfer.to === destinationAddress) received += transfer.amount
  }
  if (received === 0n || sent !== amount) return undefined
  return { tokenFee: received === amount ? null : Usdt.of(amount - received) }
}
