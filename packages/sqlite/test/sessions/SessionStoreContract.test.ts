import { sessionStoreContract } from "@agent-marketplace/testkit/sessions/SessionStoreContract"
import { testStores } from "../testStores.ts"

sessionStoreContract("sqlite", testStores)
