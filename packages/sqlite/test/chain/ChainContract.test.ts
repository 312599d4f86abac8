import { chainContract } from "@agent-marketplace/testkit/chain/ChainContract"
import { simulatedChainContract } from "@agent-marketplace/testkit/chain/SimulatedChainContract"
import { testStores } from "../testStores.ts"

chainContract("sqlite", testStores)
simulatedChainContract("sqlite", testStores)
