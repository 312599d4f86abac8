import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Layer } from "effect"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { clientCases } from "./clientCases.ts"
import { endCases } from "./endCases.ts"
import { requestCases } from "./requestCases.ts"
import { tokenCases } from "./tokenCases.ts"

/** The contract of `OauthStore`. */
export const oauthStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`OauthStore, ${name}`, stores, (it) => {
    clientCases(it)
    requestCases(it)
    tokenCases(it)
    endCases(it)
  })
