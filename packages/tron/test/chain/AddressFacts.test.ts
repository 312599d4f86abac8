import { Chain } from "@agent-marketplace/core/chain/Chain"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { hotWallet, receiver } from "../fixtures/keys.ts"
import { startNetwork, tronChain } from "../fixtures/tronMarket.ts"

it.live(
  "an address that the token refuses is refused; while the token refuses every transfer, no address is (WITHDRAWAL-21)",
  () =>
    Effect.gen(function* () {
      const { network, url } = yield* startNetwork()
      network.fund(hotWallet, 1_000_000_000n)
      const facts = Effect.gen(function* () {
        const { refusal } = yield* Chain
        assert.isNull(yield* refusal(receiver))
        network.frozen.add(bare(receiver))
        assert.isString(yield* refusal(receiver))
        network.paused = true
        const unavailable = yield* Effect.flip(refusal(receiver))
        assert.include(unavailable.reason, "the token pays nobody")
      })
      yield* Effect.provide(facts, tronChain([url]))
    })
)
