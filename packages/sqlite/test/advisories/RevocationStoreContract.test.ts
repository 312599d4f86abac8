import { revocationStoreContract } from "@agent-marketplace/testkit/advisories/RevocationStoreContract"
import { testStores } from "../testStores.ts"

revocationStoreContract("sqlite", testStores)
