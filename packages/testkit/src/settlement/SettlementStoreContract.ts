import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Layer } from "effect"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { approvalCases } from "./approvalCases.ts"
import { batchCases } from "./batchCases.ts"
import { concurrencyCases } from "./concurrencyCases.ts"
import { escrowCases } from "./escrowCases.ts"
import { freezeCases } from "./freezeCases.ts"
import { idempotencyCases } from "./idempotencyCases.ts"
import { limitCases } from "./limitCases.ts"
import { refundCases } from "./refundCases.ts"
import { saleCases } from "./saleCases.ts"
import { subscriptionCases } from "./subscriptionCases.ts"
import { withdrawalCases } from "./withdrawalCases.ts"
import { walletCases } from "./walletCases.ts"

/** The contract of `SettlementStore`: the rule's effects, all or none, however many transactions settle concurrently. */
export const settlementStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: SettlementStore`, stores, (it) => {
    saleCases(it)
    approvalCases(it)
    limitCases(it)
    idempotencyCases(it)
    refundCases(it)
    subscriptionCases(it)
    walletCases(it)
    withdrawalCases(it)
    freezeCases(it)
    escrowCases(it)
    batchCases(it)
    concurrencyCases(it)
  })
