import { domainStoreContract } from "@agent-marketplace/testkit/domains/DomainStoreContract"
import { testStores } from "../testStores.ts"

domainStoreContract("sqlite", testStores)
