import { Timestamp } from "../clock/Timestamp.ts"
import type { WithdrawalRuleName } from "../errors/MarketError.ts"
import type { AddressId } from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Withdrawal } from "./Withdrawal.ts"
import { isOpen } from "./Withdrawal.ts"
import type { SavedAddress, StoredWithdrawalRules } from "./WithdrawalRules.ts"
import { openRules, rulesAt } from "./WithdrawalRules.ts"

/** How many withdrawals of an account may be open (WITHDRAWAL-10). */
export const mostOpenWithdrawals = 10

/** How many addresses an address book holds. */
export const mostSavedAddresses = 100

/** The facts about an account, besides its balance, that its withdrawals depend on. */
export interface WithdrawalStanding {
  /** The number of withdrawals that wait for the operator or for the chain. */
  readonly open: number
  /** The sum of withdrawals requested in the last 24 hours that neither failed nor were cancelled, without fees. */
  readonly day: Usdt
  readonly rules: StoredWithdrawalRules
  readonly addresses: ReadonlyMap<AddressId, SavedAddress>
}

/** The standing of an account without withdrawals. */
export const emptyStanding: WithdrawalStanding = {
  open: 0,
  day: Usdt.of(0n),
  rules: openRules,
  addresses: new Map()
}

/** Whether a withdrawal counts for `dailyLimit` at `now`. */
const countsToday = ({ createdAt, state }: Withdrawal, now: Timestamp): boolean =>
  state !== "failed" && state !== "cancelled" && now - createdAt < Timestamp.day

/** The standing after one of the account's withdrawals changed from `before` to `after`. */
export const standingWith = (
  standing: WithdrawalStanding,
  before: Withdrawal | undefined,
  after: Withdrawal,
  now: Timestamp
): WithdrawalStanding => {
  const opened = (one: Withdrawal | undefined) => (one !== undefined && isOpen(one) ? 1 : 0)
  const counted = (one: Withdrawal | undefined) => (one !== undefined && countsToday(one, now) ? one.amount : 0n)
  return {
    ...standing,
    open: standing.open + opened(after) - opened(before),
    day: Usdt.of(standing.day + counted(after) - counted(before))
  }
}

/** The first of the owner's rules that refuses a withdrawal (WITHDRAWAL-19). An address that is not in the address book counts as new. */
export const refusingRule = (
  standing: WithdrawalStanding,
  destinationAddress: string,
  amount: Usdt,
  now: Timestamp
): WithdrawalRuleName | undefined => {
  const { allowListOnly, dailyLimit, newAddressDelayHours } = rulesAt(standing.rules, now).policy
  const saved = [...standing.addresses.values()].find(({ address }) => address === destinationAddress)
  if (allowListOnly && saved === undefined) return "allowListOnly"
  if (newAddressDelayHours > 0) {
    const delay = newAddressDelayHours * Timestamp.hour
    if (saved === undefined || now - saved.createdAt < delay) return "newAddressDelayHours"
  }
  return dailyLimit !== null && standing.day + amount > dailyLimit ? "dailyLimit" : undefined
}
