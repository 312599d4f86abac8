import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { Layer } from "effect"
import type { MarketStorage } from "./MarketStorage.ts"

/** Everything in this process, and gone with it. Nothing is ever thrown away, so that it grows with what happens in the market. */
export const memoryStorage = (): MarketStorage => ({
  lasts: false,
  ports: Layer.fresh(MemoryStores.withoutChain),
  portsAndChain: Layer.fresh(MemoryStores.layer)
})
