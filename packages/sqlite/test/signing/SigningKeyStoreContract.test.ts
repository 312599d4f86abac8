import { signingKeyStoreContract } from "@agent-marketplace/testkit/signing/SigningKeyStoreContract"
import { testStores } from "../testStores.ts"

signingKeyStoreContract("sqlite", testStores)
