import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Layer } from "effect"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { creatorCases } from "./creatorCases.ts"
import { listCases } from "./listCases.ts"
import { listingCases } from "./listingCases.ts"
import { nameCases } from "./nameCases.ts"
import { reviewCases } from "./reviewCases.ts"
import { searchCases } from "./searchCases.ts"
import { valueCases } from "./valueCases.ts"

/** The contract of `ListingStore`. */
export const listingStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: ListingStore`, stores, (it) => {
    listingCases(it)
    listCases(it)
    creatorCases(it)
    searchCases(it)
    reviewCases(it)
    valueCases(it)
    nameCases(it)
  })
