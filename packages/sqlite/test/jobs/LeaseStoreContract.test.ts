import { leaseStoreContract } from "@agent-marketplace/testkit/jobs/LeaseStoreContract"
import { testStores } from "../testStores.ts"

leaseStoreContract("sqlite", testStores)
