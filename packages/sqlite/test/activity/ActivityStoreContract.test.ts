import { activityStoreContract } from "@agent-marketplace/testkit/activity/ActivityStoreContract"
import { testStores } from "../testStores.ts"

activityStoreContract("sqlite", testStores)
