import { passkeyStoreContract } from "@agent-marketplace/testkit/passkeys/PasskeyStoreContract"
import { testStores } from "../testStores.ts"

passkeyStoreContract("sqlite", testStores)
