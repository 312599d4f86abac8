import { eventLogContract } from "@agent-marketplace/testkit/events/EventLogContract"
import { testStores } from "../testStores.ts"

eventLogContract("sqlite", testStores)
