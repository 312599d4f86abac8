import { walletStoreContract } from "@agent-marketplace/testkit/wallets/WalletStoreContract"
import { testStores } from "../testStores.ts"

walletStoreContract("sqlite", testStores)
