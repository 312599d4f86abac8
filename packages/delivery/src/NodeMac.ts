import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"
import { Mac } from "effect/crypto"
import { createHmac, createSecretKey } from "node:crypto"
import type { KeyObject } from "node:crypto"

const names = {
  MD5: "md5",
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512"
} as const

/**
 * Node's own HMAC. It is several times faster with a `KeyObject` than with the bytes of a key, so one is cached for each key. The
 * three signatures of a webhook then cost less than a tenth of sending it.
 */
const makeHmac = () => {
  const objects = new WeakMap<Uint8Array, KeyObject>()
  return (hash: keyof typeof names, key: Uint8Array, data: Uint8Array): Uint8Array => {
    const object = objects.get(key) ?? createSecretKey(key)
    objects.set(key, object)
    // Copied, because a digest may be a view into Node's shared buffer pool.
    return new Uint8Array(createHmac(names[hash], object).update(data).digest())
  }
}

/** `Mac` for a process that signs many messages with few keys. */
export const NodeMac = {
  layer: Mac.layerWebCryptoWith({ hmac: makeHmac() }).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
