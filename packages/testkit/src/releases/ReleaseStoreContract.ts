import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Layer } from "effect"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { purgeCases } from "./purgeCases.ts"
import { releaseCases } from "./releaseCases.ts"
import { resemblanceCases } from "./resemblanceCases.ts"
import { itemReleasesCases } from "./itemReleasesCases.ts"

/** The contract of `ReleaseStore`. */
export const releaseStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: ReleaseStore`, stores, (it) => {
    releaseCases(it)
    purgeCases(it)
    itemReleasesCases(it)
    resemblanceCases(it)
  })
