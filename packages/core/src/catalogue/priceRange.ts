import type { Currency } from "../money/ExchangeRates.ts"
import { areEqual, equalRates, valueOf } from "../money/ExchangeRates.ts"
import { Usdt } from "../money/Usdt.ts"
import type { CatalogueFilter } from "./CatalogueFilter.ts"

/** Above every price, and the largest 64-bit integer. */
const top = 2n ** 63n - 1n

/** The lowest number for which an increasing condition holds, or `top`. */
const lowest = (holds: (price: Usdt) => boolean): bigint => {
  let [low, high] = [0n, top]
  while (low < high) {
    const middle = (low + high) / 2n
    if (holds(Usdt.of(middle))) high = middle
    else low = middle + 1n
  }
  return low
}

/** The lowest and the highest price, both inclusive; prices are in 10⁻⁶ of a currency. */
export interface PriceRange {
  readonly least: bigint
  readonly most: bigint
}

/**
 * The prices in `currency` whose value in USDT, converted as a purchase converts it, is within the bounds of a filter (MONEY-8). So an
 * index on prices stays usable under any rates.
 */
export const priceRange = (
  { maxPrice, minPrice, rates = equalRates }: Pick<CatalogueFilter, "maxPrice" | "minPrice" | "rates">,
  currency: Currency
): PriceRange => {
  if (areEqual(rates)) return { least: minPrice ?? 0n, most: maxPrice ?? top }
  const lowestAbove = (bound: bigint) => lowest((price) => valueOf(rates, price, currency) >= bound)
  return {
    least: minPrice === undefined ? 0n : lowestAbove(minPrice),
    most: maxPrice === undefined ? top : lowestAbove(maxPrice + 1n) - 1n
  }
}
