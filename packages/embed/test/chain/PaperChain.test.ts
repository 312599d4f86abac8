import type { Chain } from "@agent-marketplace/core/chain/Chain"
import type { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import type { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { chainContract } from "@agent-marketplace/testkit/chain/ChainContract"
import { Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

interface Example {
  readonly PaperChain: {
    readonly layer: (file: string) => Layer.Layer<Chain | SimulatedChain, never, MarketClock>
  }
}

const example = new URL("../../../../docs/embedding/paperChain.ts", import.meta.url)
const { PaperChain } = (await import(example.href)) as Example

const folder = mkdtempSync(join(tmpdir(), "paper-chain-"))
afterAll(() => rmSync(folder, { recursive: true }))

chainContract(
  "the paper chain of the documentation",
  PaperChain.layer(join(folder, "book.jsonl")).pipe(
    Layer.provideMerge(MemoryStores.withoutChain),
    Layer.provide(Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto))
  )
)
