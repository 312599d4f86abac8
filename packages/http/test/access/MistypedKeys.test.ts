import { ApiKeyToken } from "@agent-marketplace/core/identity/ApiKeyToken"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

describe("a key with a typing error (KEY-12)", () => {
  it("is refused by its checksum, without a look-up; an unknown key that is well formed is looked up", async () => {
    let lookups = 0
    const stores = Layer.effect(
      IdentityStore,
      Effect.map(IdentityStore, (store) => ({
        ...store,
        findCaller: (hash: string) => {
          // Readiness looks up the empty hash, to learn whether the database answers.
          if (hash !== "") lookups += 1
          return store.findCaller(hash)
        }
      }))
    ).pipe(Layer.provideMerge(MemoryStores.layer))
    const market = startMarket({ stores })
    const read = (key: string) => market.send("GET", "/api/v1/account", { key })
    const unknown = ApiKeyToken.make(new Uint8Array(24).fill(1))
    const last = unknown.at(-1) === "0" ? "1" : "0"
    for (const key of [`${unknown.slice(0, -1)}${last}`, unknown.slice(0, -1), `${unknown}0`, "amk_", "nonsense"]) {
      assert.strictEqual((await read(key)).status, 401)
    }
    assert.strictEqual(lookups, 0)
    assert.strictEqual((await read(unknown)).status, 401)
    assert.strictEqual(lookups, 1)
    await market.stop()
  })
})
