import type { ActionDraft } from "../admin/OperatorAction.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Change } from "../settlement/Change.ts"
import { Postings } from "../settlement/Postings.ts"
import { depositKey } from "../settlement/MarketState.ts"
import type { AdvanceCursor, CreditDeposit } from "../settlement/Command.ts"
import { laterPosition } from "./ScanPosition.ts"
import type { Rule } from "../settlement/Rule.ts"
import type { Deposit } from "./Deposit.ts"
import { accept, done } from "../settlement/Rule.ts"

/** The reference of a deposit in the ledger. */
const depositReference = (txid: string, logIndex: number): string => `${txid}:${logIndex}`

const logged = (action: ActionDraft, { accountId, address, amount }: Deposit): Change => ({
  _tag: "Action",
  action: { ...action, before: null, after: { accountId, address, amount: Usdt.format(amount) } }
})

/** Credits a transfer once, even if it is observed repeatedly (DEPOSIT-4, DEPOSIT-5, DEPOSIT-6, EVENT-9). */
export const depositRule: Rule<CreditDeposit> = (state, { action, deposit }) => {
  const { accountId, amount, logIndex, network, txid } = deposit
  if (amount <= 0n || state.credited.has(depositKey(network, txid, logIndex))) return done
  const reference = depositReference(txid, logIndex)
  return accept({ _tag: "Done" }, [
    ...Postings.deposit(accountId, { amount, reference, at: state.now }),
    { _tag: "Deposit", deposit },
    ...(action === undefined ? [] : [logged(action, deposit)]),
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
export const cursorRule: Rule<AdvanceCursor> = (state, { network, position }) => {
  const known = state.cursors.get(network)
  if (known !== undefined && position.block <= known.block && position.agreed <= known.agreed) return done
  const next = known === undefined ? position : laterPosition(known, position)
  return accept({ _tag: "Done" }, [{ _tag: "Cursor", network, position: next }])
}
