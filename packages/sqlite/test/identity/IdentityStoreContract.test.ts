import { identityStoreContract } from "@agent-marketplace/testkit/identity/IdentityStoreContract"
import { testStores } from "../testStores.ts"

identityStoreContract("sqlite", testStores)
