import { listingStoreContract } from "@agent-marketplace/testkit/listings/ListingStoreContract"
import { testStores } from "../testStores.ts"

listingStoreContract("sqlite", testStores)
