import { webhookStoreContract } from "@agent-marketplace/testkit/webhooks/WebhookStoreContract"
import { testStores } from "../testStores.ts"

webhookStoreContract("sqlite", testStores)
