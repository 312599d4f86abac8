import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Layer } from "effect"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { claimCases } from "./claimCases.ts"
import { dispatchCases } from "./dispatchCases.ts"
import { logCases } from "./logCases.ts"
import { recordCases } from "./recordCases.ts"
import { subscriptionCases } from "./subscriptionCases.ts"

/** The contract of `WebhookStore`. */
export const webhookStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: WebhookStore`, stores, (it) => {
    subscriptionCases(it)
    dispatchCases(it)
    claimCases(it)
    recordCases(it)
    logCases(it)
  })
