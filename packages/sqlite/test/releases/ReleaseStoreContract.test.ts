import { releaseStoreContract } from "@agent-marketplace/testkit/releases/ReleaseStoreContract"
import { testStores } from "../testStores.ts"

releaseStoreContract("sqlite", testStores)
