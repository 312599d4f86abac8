import { Usdt } from "../money/Usdt.ts"
import { Postings } from "../settlement/Postings.ts"
import { depositKey } from "../settlement/MarketState.ts"
import type { AdvanceCursor, CreditDeposit } from "../settlement/Command.ts"
import type { Rule } from "../settlement/Rule.ts"
import { accept, done } from "../settlement/Rule.ts"

/** The reference of a deposit in the ledger. */
const depositReference = (txid: string, logIndex: number): string => `${txid}:${logIndex}`

/** Credits a transfer once, even if it is observed repeatedly (DEPOSIT-4, DEPOSIT-5, DEPOSIT-6, EVENT-9). */
export const depositRule: Rule<CreditDeposit> = (state, { deposit }) => {
  const { accountId, amount, logIndex, network, txid } = deposit
  if (amount <= 0n || state.credited.has(depositKey(network, txid, logIndex))) return done
  const reference = depositReference(txid, logIndex)
  return accept({ _tag: "Done" }, [
    ...Postings.deposit(accountId, { amount, reference, at: state.now }),
    { _tag: "Deposit", deposit },
    {
      _tag: "Event",
      event: {
        type: "deposit.confirmed",
        at: state.now,
        subject: reference,
        accounts: [accountId],
        data: { txHash: txid, address: deposit.address, amount: Usdt.format(amount), currency: "USDT" }
      }
    }
  ])
}

/** The scan position of a network; it never moves back. */
export const cursorRule: Rule<AdvanceCursor> = (state, { block, network }) =>
  block <= (state.cursors.get(network) ?? -1) ? done : accept({ _tag: "Done" }, [{ _tag: "Cursor", network, block }])
