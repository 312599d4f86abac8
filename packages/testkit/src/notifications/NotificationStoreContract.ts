import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Layer } from "effect"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { channelCases } from "./channelCases.ts"
import { messageCases } from "./messageCases.ts"
import { noticeCases } from "./noticeCases.ts"

/** The contract of `NotificationStore`. */
export const notificationStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: NotificationStore`, stores, (it) => {
    channelCases(it)
    noticeCases(it)
    messageCases(it)
  })
