import { Layer } from "effect"
import { SecureRandom, WebCrypto } from "effect/crypto"
import { createHash } from "node:crypto"

/** Random bytes that are the same for the same seed, so that the keys of a harness repeat. Never use it in production. */
export const SeededRandom = {
  layer: (seed: number): Layer.Layer<SecureRandom.SecureRandom> => {
    let counter = 0
    const fill = <T extends ArrayBufferView>(view: T): T => {
      const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
      for (let at = 0; at < bytes.length; at += 32) {
        const block = createHash("sha256").update(`${seed}:${counter++}`).digest()
        bytes.set(block.subarray(0, Math.min(32, bytes.length - at)), at)
      }
      return view
    }
    const seeded = { getRandomValues: fill, subtle: globalThis.crypto.subtle } as unknown as Crypto
    // Not memoized: layers are shared by reference, and others were built with real randomness.
    return Layer.fresh(SecureRandom.layerWebCrypto).pipe(Layer.provide(WebCrypto.layer(seeded)))
  }
}
