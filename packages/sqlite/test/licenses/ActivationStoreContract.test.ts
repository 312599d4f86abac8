import { activationStoreContract } from "@agent-marketplace/testkit/licenses/ActivationStoreContract"
import { testStores } from "../testStores.ts"

activationStoreContract("sqlite", testStores)
