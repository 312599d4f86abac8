import type { SigningKey } from "@agent-marketplace/core/signing/SigningKey"
import { SigningKeyStore } from "@agent-marketplace/core/signing/SigningKeyStore"
import { Effect, Layer } from "effect"
import { MemoryMarket } from "../MemoryMarket.ts"

export const MemorySigningKeyStore: { readonly layer: Layer.Layer<SigningKeyStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    SigningKeyStore,
    Effect.map(MemoryMarket, ({ tables: { signingKeys } }) => ({
      register: ({ at, keyId, publicKey, retireAt }) =>
        Effect.sync(() => {
          const known = signingKeys.get(keyId)
          if (known !== undefined) return known
          for (const [id, key] of signingKeys)
            if (key.retiredAt === null) signingKeys.set(id, { ...key, retiredAt: retireAt })
          const made: SigningKey = { keyId, publicKey, createdAt: at, retiredAt: null, seenAt: at }
          signingKeys.set(keyId, made)
          return made
        }),
      seen: (keyId, at) =>
        Effect.sync(() => {
          const key = signingKeys.get(keyId)
          if (key !== undefined && key.seenAt < at) signingKeys.set(keyId, { ...key, seenAt: at })
        }),
      list: Effect.sync(() => [...signingKeys.values()].toReversed())
    }))
  )
}
