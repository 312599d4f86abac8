import { blobStoreContract } from "@agent-marketplace/testkit/blobs/BlobStoreContract"
import { testStores } from "../testStores.ts"

blobStoreContract("memory", testStores, { constantMemory: false })
