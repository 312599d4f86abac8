import { activityStoreContract } from "@agent-marketplace/testkit/activity/ActivityStoreContract"
import { testStores } from "../testStores.ts"

activityStoreContract("postgres", testStores)
