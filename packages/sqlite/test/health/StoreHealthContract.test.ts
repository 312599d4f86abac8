import { storeHealthContract } from "@agent-marketplace/testkit/health/StoreHealthContract"
import { testStores } from "../testStores.ts"

storeHealthContract("sqlite", testStores)
