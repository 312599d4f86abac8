import { blobRegistryContract } from "@agent-marketplace/testkit/blobs/BlobRegistryContract"
import { Effect } from "effect"
import { dropBlobReferences, referBlobs } from "../../src/blobs/referBlobs.ts"
import { MemoryMarket } from "../../src/MemoryMarket.ts"
import { testStores } from "../testStores.ts"

blobRegistryContract("memory", testStores, {
  refer: (owner, blobs) => Effect.flatMap(MemoryMarket, ({ tables }) => referBlobs(tables, owner, blobs)),
  drop: (owners) => Effect.map(MemoryMarket, ({ tables }) => dropBlobReferences(tables, owners))
})
