import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Result } from "effect"

const sorts = ["price", "rating", "popular", "newest"] as const
const pricingModels = ["free", "one_time", "subscription"] as const

/** A page of the search: its filters as the store takes them, and as they stand in the URL. */
export interface ShopQuery {
  readonly filter: {
    readonly search: string | undefined
    readonly category: string | undefined
    readonly maxPrice: Usdt | undefined
    readonly pricingModel: (typeof pricingModels)[number] | undefined
    readonly sortBy: (typeof sorts)[number] | undefined
    readonly page: number
  }
  readonly given: Readonly<Record<"q" | "category" | "max" | "pricing" | "sort", string>>
  /** The path of this search with the filters that are in effect, for the canonical URL. */
  readonly path: string
}

const oneOf = <A extends string>(values: ReadonlyArray<A>, given: string): A | undefined =>
  values.find((value) => value === given)

const clip = (text: string | null, longest: number): string => (text ?? "").trim().slice(0, longest)

/** Filters without effect are left out, so that one search has one canonical URL (SHOP-10). */
const pathOf = (given: ShopQuery["given"], filter: ShopQuery["filter"]): string => {
  const { category, maxPrice, page, pricingModel, search, sortBy } = filter
  const inEffect = Object.entries({
    q: search,
    category,
    max: maxPrice === undefined ? undefined : given.max,
    pricing: pricingModel,
    sort: sortBy,
    page: page === 1 ? undefined : String(page)
  }).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `/search${inEffect.length === 0 ? "" : `?${new URLSearchParams(inEffect).toString()}`}`
}

/** Reads the URL of the search. A value that is not one of a filter's is ignored, so that a link never leads to an error (SHOP-2). */
export const readShopQuery = (parameters: URLSearchParams): ShopQuery => {
  const given = {
    q: clip(parameters.get("q"), 200),
    category: clip(parameters.get("category"), 60),
    max: clip(parameters.get("max"), 20),
    pricing: clip(parameters.get("pricing"), 20),
    sort: clip(parameters.get("sort"), 20)
  }
  const page = /^[1-9]\d{0,3}$/.exec(parameters.get("page") ?? "")
  const filter = {
    search: given.q || undefined,
    category: /^[a-z0-9-]+$/.test(given.category) ? given.category : undefined,
    maxPrice: given.max === "" ? undefined : Result.getOrUndefined(Usdt.parse(given.max)),
    pricingModel: oneOf(pricingModels, given.pricing),
    sortBy: oneOf(sorts, given.sort),
    page: page === null ? 1 : Number(page[0])
  }
  return { given, filter, path: pathOf(given, filter) }
}
