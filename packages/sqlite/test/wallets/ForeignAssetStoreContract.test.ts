import { foreignAssetStoreContract } from "@agent-marketplace/testkit/wallets/ForeignAssetStoreContract"
import { testStores } from "../testStores.ts"

foreignAssetStoreContract("sqlite", testStores)
