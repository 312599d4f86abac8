import type { Redacted } from "effect"
import { Context } from "effect"
import type { Usdt } from "../money/Usdt.ts"

/** What an operator decides about a market (CONFIG-13). */
export class MarketConfig extends Context.Service<
  MarketConfig,
  {
    /** The platform's share of a price in basis points, 0 to 10,000; 500 is 5 %. */
    readonly platformFeeBps: number
    /** For each withdrawal, 10⁻⁶ USDT (WITHDRAWAL-7). */
    readonly withdrawalFee: Usdt
    /** The least that can be withdrawn, without the fee. */
    readonly withdrawalMinimum: Usdt
    /** A larger withdrawal waits for the operator; null where none does (WITHDRAWAL-13). */
    readonly withdrawalReviewAbove: Usdt | null
    /** For how many days a seller's proceeds are locked; 0 does not lock them. */
    readonly proceedsHoldDays: number
    /** The most that one seller may owe for refunds that the platform covers, 10⁻⁶ USDT. */
    readonly refundCoverLimit: Usdt
    /** Whether new listings wait for an operator (CONFIG-7). */
    readonly listingReview: "manual" | "auto"
    /** Who reads the text of a paid soul: everybody, or its author and license holders (SOUL-44). */
    readonly soulContent: "open" | "licensed"
    /** Where the market is reached, without a slash at the end; deposit QR codes live below it. */
    readonly baseUrl: string
    /** Keys what must not be guessed (the feed's item ids: FEED-15); the same for every process, at least 32 characters. */
    readonly secret: Redacted.Redacted
  }
>()("@agent-marketplace/core/config/MarketConfig") {}
