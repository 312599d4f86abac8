/** The counts from which the popularity of an item is calculated. */
export interface PopularityCounts {
  /** Completed purchases that were not refunded, including free ones. */
  readonly sales: number
  /** The number of buyers with a paid purchase that is at least {@link agingTime} old and was not refunded. */
  readonly agedBuyers: number
  /** The number of accounts that downloaded a soul. */
  readonly downloads: number
}

/** The age at which a paid purchase counts in full, in milliseconds: 24 hours. */
export const agingTime = 86_400_000

/** The weight of an aged paid purchase. */
const agedWeight = 10

/** The maximum that free purchases, downloads and recent sales contribute: as much as 10 aged paid purchases. */
const freeCap = 100

/** The sort key of `sortBy=popular` (SEARCH-8). Actions that can be repeated at no cost cannot raise it without limit. */
export const popularityOf = ({ agedBuyers, downloads, sales }: PopularityCounts): number =>
  agedWeight * agedBuyers + Math.min(freeCap, Math.max(0, sales - agedBuyers) + downloads)
