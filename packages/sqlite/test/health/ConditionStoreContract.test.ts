import { conditionStoreContract } from "@agent-marketplace/testkit/health/ConditionStoreContract"
import { testStores } from "../testStores.ts"

conditionStoreContract("sqlite", testStores)
