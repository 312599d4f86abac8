import { blobRegistryContract } from "@agent-marketplace/testkit/blobs/BlobRegistryContract"
import { Effect } from "effect"
import { dropBlobReferences, referBlobs } from "@agent-marketplace/memory/blobs/referBlobs"
import { MemoryMarket } from "@agent-marketplace/memory/MemoryMarket"
import { testStores } from "../testStores.ts"

blobRegistryContract("sqlite", testStores, {
  refer: (owner, blobs) => Effect.flatMap(MemoryMarket, ({ tables }) => referBlobs(tables, owner, blobs)),
  drop: (owners) => Effect.map(MemoryMarket, ({ tables }) => dropBlobReferences(tables, owners))
})
