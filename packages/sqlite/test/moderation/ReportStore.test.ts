import { reportStoreContract } from "@agent-marketplace/testkit/moderation/ReportStoreContract"
import { testStores } from "../testStores.ts"

reportStoreContract("sqlite", testStores)
