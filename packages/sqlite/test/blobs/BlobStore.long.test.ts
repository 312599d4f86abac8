import { blobStoreContract } from "@agent-marketplace/testkit/blobs/BlobStoreContract"
import { testStores } from "../testStores.ts"

blobStoreContract("sqlite", testStores, { constantMemory: true })
