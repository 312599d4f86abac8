/** What the popularity of an item is calculated from. */
export interface PopularityCounts {
  /** Completed purchases that were not refunded, free ones included. */
  readonly sales: number
  /** Different buyers of a paid purchase that is at least {@link agingTime} old and was not refunded. */
  readonly agedBuyers: number
  /** Different accounts that downloaded a soul. */
  readonly downloads: number
}

/** How old a paid purchase must be to count in full, in milliseconds: 24 hours. */
export const agingTime = 86_400_000

/** What an aged paid purchase counts. */
const agedWeight = 10

/** The most that free purchases, downloads and recent sales add together: as much as 10 aged paid purchases. */
const freeCap = 100

/** What `sortBy=popular` orders by (SEARCH-8): what costs nothing to repeat cannot raise it without limit. */
export const popularityOf = ({ agedBuyers, downloads, sales }: PopularityCounts): number =>
  agedWeight * agedBuyers + Math.min(freeCap, Math.max(0, sales - agedBuyers) + downloads)
