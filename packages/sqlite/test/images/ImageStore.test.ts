import { imageStoreContract } from "@agent-marketplace/testkit/images/ImageStoreContract"
import { testStores } from "../testStores.ts"

imageStoreContract("sqlite", testStores)
