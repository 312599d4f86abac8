import { soulStoreContract } from "@agent-marketplace/testkit/souls/SoulStoreContract"
import { testStores } from "../testStores.ts"

soulStoreContract("sqlite", testStores)
