import { actionStoreContract } from "@agent-marketplace/testkit/admin/ActionStoreContract"
import { testStores } from "../testStores.ts"

actionStoreContract("sqlite", testStores)
