import { chainContract } from "@agent-marketplace/testkit/chain/ChainContract"
import { testStores } from "../testStores.ts"

chainContract("postgres", testStores)
