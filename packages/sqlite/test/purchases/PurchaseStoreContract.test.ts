import { purchaseStoreContract } from "@agent-marketplace/testkit/purchases/PurchaseStoreContract"
import { testStores } from "../testStores.ts"

purchaseStoreContract("sqlite", testStores)
