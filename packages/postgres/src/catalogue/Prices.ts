import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { PriceRange } from "@agent-marketplace/core/catalogue/priceRange"
import { priceRange } from "@agent-marketplace/core/catalogue/priceRange"
import { areEqual, equalRates, rateOf } from "@agent-marketplace/core/money/ExchangeRates"
import type { Catalogue } from "./Catalogue.ts"
import type { Parameters } from "./Parameters.ts"

/** Whether prices must be converted before they are compared. */
const areConverted = ({ rates = equalRates }: CatalogueFilter): boolean => !areEqual(rates)

/** Whether items of one price can have different values. */
export const areMixed = ({ currencies }: Catalogue, filter: CatalogueFilter): boolean =>
  currencies.length > 1 && areConverted(filter)

/** The filter's range of prices in each of the catalogue's currencies. */
export const priceRanges = ({ currencies }: Catalogue, filter: CatalogueFilter): ReadonlyArray<PriceRange> =>
  currencies.map((currency) => priceRange(filter, currency))

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b)

const higher = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** The range that contains the ranges of all currencies; a bound is undefined if the filter has none. */
export const wholeRange = (
  catalogue: Catalogue,
  filter: CatalogueFilter
): { readonly least: bigint | undefined; readonly most: bigint | undefined } => {
  const ranges = priceRanges(catalogue, filter)
  return {
    least: filter.minPrice === undefined ? undefined : ranges.map(({ least }) => least).reduce(lower),
    most: filter.maxPrice === undefined ? undefined : ranges.map(({ most }) => most).reduce(higher)
  }
}

export const isBounded = ({ maxPrice, minPrice }: CatalogueFilter): boolean =>
  minPrice !== undefined || maxPrice !== undefined

/** The filter's conditions on the price of facets `f`: a range that an index can use, and if rates differ the range of each currency. */
export const priceConditions = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  parameters: Parameters
): ReadonlyArray<string> => {
  const { least, most } = wholeRange(catalogue, filter)
  const ofCurrency = (range: PriceRange, i: number): string =>
    `f.currency = '${catalogue.currencies[i]}' AND f.price BETWEEN ${parameters.add(range.least, "bigint")} AND ${parameters.add(range.most, "bigint")}`
  return [
    ...(least === undefined ? [] : [`f.price >= ${parameters.add(least, "bigint")}`]),
    ...(most === undefined ? [] : [`f.price <= ${parameters.add(most, "bigint")}`]),
    ...(areMixed(catalogue, filter) && isBounded(filter)
      ? [`(${priceRanges(catalogue, filter).map(ofCurrency).join(" OR ")})`]
      : [])
  ]
}

/** What a price is multiplied by to get its value in USDT, in each of the catalogue's currencies. */
export const ratesOf = ({ currencies }: Catalogue, { rates = equalRates }: CatalogueFilter): ReadonlyArray<bigint> =>
  currencies.map((currency) => rateOf(rates, currency))

/** SQL for the sort key of facets `f` with the price `price`: the exact value, without rounding (MONEY-8). */
export const valueSql = (
  catalogue: Catalogue,
  filter: CatalogueFilter,
  price: string,
  parameters: Parameters
): string => {
  if (!areConverted(filter)) return price
  const rates = ratesOf(catalogue, filter).map((rate) => parameters.add(rate, "numeric"))
  if (rates.length === 1) return `${price} * ${rates[0]}`
  return `${price} * CASE f.currency ${catalogue.currencies.map((name, i) => `WHEN '${name}' THEN ${rates[i]}`).join(" ")} END`
}
