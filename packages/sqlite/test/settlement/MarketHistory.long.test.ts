import { marketHistoryContract } from "@agent-marketplace/testkit/settlement/MarketHistoryContract"
import { testStores } from "../testStores.ts"

marketHistoryContract("sqlite", testStores)
