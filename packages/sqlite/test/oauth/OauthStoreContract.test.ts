import { oauthStoreContract } from "@agent-marketplace/testkit/oauth/OauthStoreContract"
import { testStores } from "../testStores.ts"

oauthStoreContract("sqlite", testStores)
