import type { ScanPosition } from "../wallets/ScanPosition.ts"
import type { OperatorAction } from "../admin/OperatorAction.ts"
import type { Approval } from "../approvals/Approval.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { RevocationProgress } from "../advisories/Revocation.ts"
import type { AccountId, AddressId, ItemId, RevocationId } from "../ids/Ids.ts"
import type { Purchase } from "../purchases/Purchase.ts"
import type { Renewal, Subscription } from "../purchases/Subscription.ts"
import type { HeldDeposit } from "../screening/HeldDeposit.ts"
import type { Deposit } from "../wallets/Deposit.ts"
import type { LedgerLine } from "../wallets/Ledger.ts"
import type { Escrow } from "../wallets/Escrow.ts"
import type { PayoutPause, Withdrawal } from "../wallets/Withdrawal.ts"
import type { SavedAddress, StoredWithdrawalRules } from "../wallets/WithdrawalRules.ts"
import type { Idempotency } from "./Idempotency.ts"
import type { CommandResult } from "./CommandResult.ts"
import type { Entitlement } from "./MarketState.ts"

/** One effect of a command, as data. A record replaces an earlier one with the same id. */
export type Change =
  | { readonly _tag: "Line"; readonly line: LedgerLine }
  | { readonly _tag: "Purchase"; readonly purchase: Purchase }
  | { readonly _tag: "Approval"; readonly approval: Approval }
  | { readonly _tag: "Subscription"; readonly subscription: Subscription }
  | { readonly _tag: "Renewal"; readonly renewal: Renewal }
  /** By its reference; an amount of zero ends it. */
  | { readonly _tag: "Escrow"; readonly escrow: Escrow }
  | { readonly _tag: "Withdrawal"; readonly withdrawal: Withdrawal }
  | { readonly _tag: "WithdrawalRules"; readonly accountId: AccountId; readonly stored: StoredWithdrawalRules }
  /** Null removes it. */
  | {
      readonly _tag: "SavedAddress"
      readonly accountId: AccountId
      readonly id: AddressId
      readonly saved: SavedAddress | null
    }
  /** Null: payouts go on. */
  | { readonly _tag: "Payouts"; readonly pause: PayoutPause | null }
  /** An entry of the operator's log. */
  | { readonly _tag: "Action"; readonly action: OperatorAction }
  | { readonly _tag: "Deposit"; readonly deposit: Deposit }
  | { readonly _tag: "HeldDeposit"; readonly deposit: HeldDeposit }
  | { readonly _tag: "Cursor"; readonly network: string; readonly position: ScanPosition }
  | {
      readonly _tag: "Entitlement"
      readonly buyerId: AccountId
      readonly itemId: ItemId
      readonly entitlement: Entitlement | null
    }
  | { readonly _tag: "Sold"; readonly itemId: ItemId; readonly by: 1 | -1 }
  | { readonly _tag: "RevocationProgress"; readonly revocationId: RevocationId; readonly progress: RevocationProgress }
  | { readonly _tag: "Event"; readonly event: MarketEvent }
  | { readonly _tag: "IdempotentResult"; readonly idempotency: Idempotency; readonly result: CommandResult }
