import type { ActionDraft } from "../admin/OperatorAction.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Change } from "../settlement/Change.ts"
import { Postings } from "../settlement/Postings.ts"
import { depositKey } from "../settlement/MarketState.ts"
import type { AdvanceCursor, CreditDeposit } from "../settlement/Command.ts"
import { laterPosition } from "./ScanPosition.ts"
import type { Rule } from "../settlement/Rule.ts"
import type { HeldDeposit } from "../screening/HeldDeposit.ts"
import type { Deposit } from "./Deposit.ts"
import { accept, done } from "../settlement/Rule.ts"

/** The reference of a deposit in the ledger. */
export const depositReference = (txid: string, logIndex: number): string => `${txid}:${logIndex}`

const logged = (action: ActionDraft, { accountId, address, amount }: Deposit): Change => ({
  _tag: "Action",
  action: { ...action, before: null, after: { accountId, address, amount: Usdt.format(amount) } }
})

/** The event of a deposit that is credited (EVENT-9). */
export const confirmedDeposit = (deposit: Deposit, at: Timestamp): Change => ({
  _tag: "Event",
  event: {
    type: "deposit.confirmed",
    at,
    subject: depositReference(deposit.txid, deposit.logIndex),
    accounts: [deposit.accountId],
    data: {
      txHash: deposit.txid,
      address: deposit.address,
      amount: Usdt.format(deposit.amount),
      currency: "USDT"
    }
  }
})

const held = (deposit: Deposit, hold: NonNullable<CreditDeposit["hold"]>, at: Timestamp): HeldDeposit => ({
  ...deposit,
  ...hold,
  state: hold.evidence === null ? "screening" : "held",
  heldAt: at,
  decidedAt: null
})

/**
 * Records a transfer once, even if it is observed repeatedly (DEPOSIT-4, DEPOSIT-5, DEPOSIT-6), and credits it, unless it is held
 * (SCREENING-3).
 */
export const depositRule: Rule<CreditDeposit> = (state, { action, deposit, hold }) => {
  const { accountId, amount, logIndex, network, txid } = deposit
  if (amount <= 0n || state.credited.has(depositKey(network, txid, logIndex))) return done
  const posting = { amount, reference: depositReference(txid, logIndex), at: state.now }
  const recorded: ReadonlyArray<Change> = [
    { _tag: "Deposit", deposit },
    ...(action === undefined ? [] : [logged(action, deposit)])
  ]
  if (hold === undefined) {
    return accept({ _tag: "Done" }, [
      ...Postings.deposit(accountId, posting),
      ...recorded,
      confirmedDeposit(deposit, state.now)
    ])
  }
  return accept({ _tag: "Done" }, [
    ...Postings.depositHeld(posting),
    ...recorded,
    { _tag: "HeldDeposit", deposit: held(deposit, hold, state.now) }
  ])
}

/** The scan position of a network; it never moves back. */
export const cursorRule: Rule<AdvanceCursor> = (state, { network, position }) => {
  const known = state.cursors.get(network)
  if (known !== undefined && position.block <= known.block && position.agreed <= known.agreed) return done
  const next = known === undefined ? position : laterPosition(known, position)
  return accept({ _tag: "Done" }, [{ _tag: "Cursor", network, position: next }])
}
