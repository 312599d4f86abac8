import { Usdt } from "../money/Usdt.ts"
import type { Change } from "../settlement/Change.ts"
import type { Proceeds, ReleaseEscrow } from "../settlement/Command.ts"
import type { MarketState } from "../settlement/MarketState.ts"
import { Postings } from "../settlement/Postings.ts"
import type { Rule } from "../settlement/Rule.ts"
import { accept, done } from "../settlement/Rule.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Escrow } from "./Escrow.ts"
import { lastReleasedFirst } from "./Escrow.ts"

/** A seller's net proceeds of one sale or renewal. */
interface Net {
  readonly sellerId: AccountId
  readonly reference: string
  readonly amount: Usdt
  /** Whether the seller was in debt when the batch started; a loaded wallet has the exact value. */
  readonly owes: boolean
}

/**
 * Locks the proceeds of a sale until they are released (ESCROW-1). Without escrow they can be spent immediately, unless the seller is in
 * debt: then they are locked and due, so that the next release pays the debt (DEBT-2).
 */
export const lockProceeds = (state: MarketState, net: Net, { holdProceeds }: Proceeds): ReadonlyArray<Change> => {
  const { amount, reference, sellerId } = net
  const wallet = state.wallets.get(sellerId)
  const owes = wallet === undefined ? net.owes : wallet.debt > 0n
  if (amount === 0n || (holdProceeds === 0 && !owes)) return []
  return [
    ...Postings.hold(sellerId, { amount, reference, at: state.now }),
    {
      _tag: "Escrow",
      escrow: { accountId: sellerId, reference, amount, releasedAt: state.now + holdProceeds }
    }
  ]
}

/** Moves `amount` of a sale's locked proceeds to the seller's available balance. */
const unlock = (escrow: Escrow, amount: Usdt, at: number): ReadonlyArray<Change> => [
  ...Postings.release(escrow.accountId, { amount, reference: escrow.reference, at }),
  { _tag: "Escrow", escrow: { ...escrow, amount: Usdt.of(escrow.amount - amount) } }
]

/**
 * Unlocks up to `wanted` for a refund of the sale `reference`: that sale's own proceeds first, then those of other sales (REFUND-6).
 */
export const unlockForRefund = (
  state: MarketState,
  seller: AccountId,
  reference: string,
  wanted: Usdt
): { readonly unlocked: Usdt; readonly changes: ReadonlyArray<Change> } => {
  const own = state.escrow.get(reference)
  const others = [...state.escrow.values()]
    .filter((escrow) => escrow.accountId === seller && escrow.reference !== reference)
    .sort(lastReleasedFirst)
  const changes: Array<Change> = []
  let missing: bigint = wanted
  for (const escrow of own === undefined ? others : [own, ...others]) {
    const amount = Usdt.of(escrow.amount < missing ? escrow.amount : missing)
    if (amount === 0n) continue
    changes.push(...unlock(escrow, amount, state.now))
    missing -= amount
  }
  return { unlocked: Usdt.of(wanted - missing), changes }
}

/**
 * Releases due proceeds, each once. The seller's debt is paid from them first (ESCROW-2, DEBT-2). Proceeds that are not due, or no longer
 * locked, are skipped.
 */
export const releaseRule: Rule<ReleaseEscrow> = (state, { accountId, references }) => {
  let debt: bigint = state.wallets.get(accountId)?.debt ?? 0n
  const changes = [...new Set(references)].flatMap((reference): ReadonlyArray<Change> => {
    const escrow = state.escrow.get(reference)
    if (escrow === undefined || escrow.accountId !== accountId) return []
    if (escrow.amount === 0n || escrow.releasedAt > state.now) return []
    const repaid = Usdt.of(escrow.amount < debt ? escrow.amount : debt)
    debt -= repaid
    return [
      ...unlock(escrow, escrow.amount, state.now),
      ...Postings.repayment(accountId, { amount: repaid, reference, at: state.now })
    ]
  })
  return changes.length === 0 ? done : accept({ _tag: "Done" }, changes)
}
