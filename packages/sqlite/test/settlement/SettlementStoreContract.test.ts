import { settlementStoreContract } from "@agent-marketplace/testkit/settlement/SettlementStoreContract"
import { testStores } from "../testStores.ts"

settlementStoreContract("sqlite", testStores)
