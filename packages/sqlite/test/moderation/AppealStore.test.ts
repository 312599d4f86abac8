import { appealStoreContract } from "@agent-marketplace/testkit/moderation/AppealStoreContract"
import { testStores } from "../testStores.ts"

appealStoreContract("sqlite", testStores)
