import { marketClockContract } from "@agent-marketplace/testkit/clock/MarketClockContract"
import { testStores } from "../testStores.ts"

marketClockContract("sqlite", testStores)
