import { Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { MemoryStores } from "../src/MemoryStores.ts"

/** A separate market for each suite. */
export const testStores = Layer.fresh(
  MemoryStores.layer.pipe(Layer.provide(Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)))
)
