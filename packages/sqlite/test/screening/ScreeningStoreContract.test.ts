import { screeningStoreContract } from "@agent-marketplace/testkit/screening/ScreeningStoreContract"
import { testStores } from "../testStores.ts"

screeningStoreContract("sqlite", testStores)
