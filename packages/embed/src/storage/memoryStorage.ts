import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { Layer } from "effect"
import type { MarketStorage } from "./MarketStorage.ts"

/** Stores everything in memory until the market is closed. Nothing is deleted, so memory use grows with the market's history. */
export const memoryStorage = (): MarketStorage => ({
  lasts: false,
  ports: Layer.fresh(MemoryStores.withoutChain),
  portsAndChain: Layer.fresh(MemoryStores.layer)
})
