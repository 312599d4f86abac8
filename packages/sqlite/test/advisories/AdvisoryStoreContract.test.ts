import { advisoryStoreContract } from "@agent-marketplace/testkit/advisories/AdvisoryStoreContract"
import { testStores } from "../testStores.ts"

advisoryStoreContract("sqlite", testStores)
