import { sweepStoreContract } from "@agent-marketplace/testkit/wallets/SweepStoreContract"
import { testStores } from "../testStores.ts"

sweepStoreContract("sqlite", testStores)
