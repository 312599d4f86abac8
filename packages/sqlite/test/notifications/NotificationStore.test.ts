import { notificationStoreContract } from "@agent-marketplace/testkit/notifications/NotificationStoreContract"
import { testStores } from "../testStores.ts"

notificationStoreContract("sqlite", testStores)
