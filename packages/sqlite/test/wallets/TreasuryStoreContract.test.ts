import { treasuryStoreContract } from "@agent-marketplace/testkit/wallets/TreasuryStoreContract"
import { testStores } from "../testStores.ts"

treasuryStoreContract("sqlite", testStores)
