import type { Redacted } from "effect"
import { Context } from "effect"
import type { Usdt } from "../money/Usdt.ts"

/** The operator's configuration of a market (CONFIG-13). */
export class MarketConfig extends Context.Service<
  MarketConfig,
  {
    /** The platform's share of a price in basis points, 0 to 10,000; 500 is 5 %. */
    readonly platformFeeBps: number
    /** The fee of each withdrawal in 10⁻⁶ USDT (WITHDRAWAL-7); `auto` follows the cost of the network, which needs `coinRate` (WITHDRAWAL-11). */
    readonly withdrawalFee: Usdt | "auto"
    /** The price of one coin that pays the fees of the chain, in 10⁻⁶ USDT; null if it is not known. */
    readonly coinRate: Usdt | null
    /** The minimum amount of a withdrawal, without the fee. */
    readonly withdrawalMinimum: Usdt
    /** A larger withdrawal waits for the operator; null disables the review (WITHDRAWAL-13). */
    readonly withdrawalReviewAbove: Usdt | null
    /** The number of days for which a seller's proceeds are locked; 0 disables locking. */
    readonly proceedsHoldDays: number
    /** The maximum that one seller may owe for refunds that the platform covers, in 10⁻⁶ USDT. */
    readonly refundCoverLimit: Usdt
    /** Whether an operator must review new listings (CONFIG-7). */
    readonly listingReview: "manual" | "auto"
    /** Who can read the text of a paid soul: everybody, or only its author and license holders (SOUL-44). */
    readonly soulContent: "open" | "licensed"
    /** The public URL of the market, without a trailing slash. Deposit QR codes are served below it. */
    readonly baseUrl: string
    /** The public URL of the console, without a trailing slash; undefined if the market serves none. */
    readonly consoleUrl?: string | undefined
    /** The key for values that must not be guessable, such as the feed's item ids (FEED-15). The same in every process; at least 32 characters. */
    readonly secret: Redacted.Redacted
  }
>()("@agent-marketplace/core/config/MarketConfig") {}
