import { Conflict, NotFound } from "../errors/MarketError.ts"
import type { ChangeWithdrawalRules, RemoveAddress, SaveAddress } from "../settlement/Command.ts"
import { frozenOf } from "../settlement/FreezeRule.ts"
import type { Rule } from "../settlement/Rule.ts"
import { accept, refuse } from "../settlement/Rule.ts"
import type { SavedAddress } from "./WithdrawalRules.ts"
import { changedRules, loosens } from "./WithdrawalRules.ts"
import { mostSavedAddresses } from "./WithdrawalStanding.ts"

/** Changes the owner's rules for withdrawals (WITHDRAWAL-17, WITHDRAWAL-18). A frozen account may only tighten them (ACCOUNT-12). */
export const changeWithdrawalRules: Rule<ChangeWithdrawalRules> = (state, { accountId, patch }) => {
  const standing = state.standings.get(accountId)
  if (standing === undefined) return refuse(new NotFound({ resource: "ACCOUNT" }))
  const { rules } = standing
  const frozen = frozenOf(state, accountId)
  if (frozen !== undefined && loosens(rules, patch, state.now)) return refuse(frozen)
  const stored = changedRules(rules, patch, state.now)
  return accept({ _tag: "WithdrawalRules", stored }, [{ _tag: "WithdrawalRules", accountId, stored }])
}

/** Adds an address to the address book, each address once (WITHDRAWAL-15). */
export const saveAddressRule: Rule<SaveAddress> = (state, { accountId, address, id, label }) => {
  const frozen = frozenOf(state, accountId)
  if (frozen !== undefined) return refuse(frozen)
  const standing = state.standings.get(accountId)
  if (standing === undefined) return refuse(new NotFound({ resource: "ACCOUNT" }))
  const { addresses } = standing
  if ([...addresses.values()].some((one) => one.address === address)) {
    return refuse(new Conflict({ state: "saved", reason: "the address is in the address book" }))
  }
  if (addresses.size >= mostSavedAddresses) {
    return refuse(new Conflict({ state: "address_book_full", limit: mostSavedAddresses }))
  }
  const saved: SavedAddress = { id, address, label, createdAt: state.now }
  return accept({ _tag: "SavedAddress", saved }, [{ _tag: "SavedAddress", accountId, id, saved }])
}

/** Removes an address from the address book. It never allows more, so a frozen account may do it (ACCOUNT-12). */
export const removeAddressRule: Rule<RemoveAddress> = (state, { accountId, id }) => {
  if (state.standings.get(accountId)?.addresses.has(id) !== true) return refuse(new NotFound({ resource: "ADDRESS" }))
  return accept({ _tag: "Done" }, [{ _tag: "SavedAddress", accountId, id, saved: null }])
}
