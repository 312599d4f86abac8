import { marketHistoryContract } from "@agent-marketplace/testkit/settlement/MarketHistoryContract"
import { testStores } from "../testStores.ts"

/** The long form plays three histories of 800 steps. */
marketHistoryContract("postgres", testStores, { seeds: [1], steps: 400 })
