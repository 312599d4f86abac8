import type { Approval } from "../approvals/Approval.ts"
import type { Purchase } from "../purchases/Purchase.ts"
import type { Subscription } from "../purchases/Subscription.ts"
import type { Withdrawal } from "../wallets/Withdrawal.ts"

/** What an order that succeeded answers. */
export type CommandResult =
  | { readonly _tag: "Bought"; readonly purchase: Purchase }
  | { readonly _tag: "Decided"; readonly approval: Approval }
  | { readonly _tag: "Refunded"; readonly purchase: Purchase }
  | { readonly _tag: "Subscription"; readonly subscription: Subscription }
  | { readonly _tag: "Withdrawal"; readonly withdrawal: Withdrawal }
  /** Nothing to tell, or nothing to do any more. */
  | { readonly _tag: "Done" }

const marker = /^\d+$/

/**
 * Answers as text and back, exactly: amounts are written as `{"µ":"1500000"}`. Stores keep answers to
 * Idempotency-Keys in this form.
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
