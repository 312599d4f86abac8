import type { Approval } from "../approvals/Approval.ts"
import type { Sale } from "../purchases/Sale.ts"
import type { Purchase } from "../purchases/Purchase.ts"
import type { Subscription } from "../purchases/Subscription.ts"
import type { HeldDeposit } from "../screening/HeldDeposit.ts"
import type { PayoutPause, Withdrawal } from "../wallets/Withdrawal.ts"
import type { SavedAddress, StoredWithdrawalRules } from "../wallets/WithdrawalRules.ts"

/** The result of a command that succeeded. */
export type CommandResult =
  | { readonly _tag: "Bought"; readonly purchase: Purchase }
  | { readonly _tag: "Decided"; readonly approval: Approval }
  | { readonly _tag: "Refunded"; readonly sale: Sale }
  | { readonly _tag: "Subscription"; readonly subscription: Subscription }
  | { readonly _tag: "Withdrawal"; readonly withdrawal: Withdrawal }
  | { readonly _tag: "WithdrawalRules"; readonly stored: StoredWithdrawalRules }
  | { readonly _tag: "SavedAddress"; readonly saved: SavedAddress }
  | { readonly _tag: "HeldDeposit"; readonly deposit: HeldDeposit }
  | { readonly _tag: "Payouts"; readonly pause: PayoutPause | null }
  /** The command has no result. */
  | { readonly _tag: "Done" }

const marker = /^\d+$/

/**
 * Converts results to text and back without loss: amounts are written as `{"µ":"1500000"}`. Stores keep the results of Idempotency-Keys
 * in this form.
 */
export const CommandResultText = {
  encode: (result: CommandResult): string =>
    JSON.stringify(result, (_key, value: unknown) => (typeof value === "bigint" ? { µ: value.toString() } : value)),
  decode: (text: string): CommandResult =>
    JSON.parse(text, (_key, value: unknown) =>
      typeof value === "object" && value !== null && "µ" in value && typeof value.µ === "string" && marker.test(value.µ)
        ? BigInt(value.µ)
        : value
    ) as CommandResult
}
