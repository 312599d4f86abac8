import { ownToken } from "@agent-marketplace/core/wallets/ownToken"
import { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { inMarket } from "../fixtures/market.ts"
import { tronChain } from "../fixtures/tronMarket.ts"

const start = (contract: string) =>
  Effect.exit(Effect.scoped(Layer.build(Layer.fresh(ownToken.pipe(Layer.provide(tronChain([], { contract })))))))

describe("the token of a market", () => {
  it.live("belongs to the database: a process with another contract does not start (CHAIN-22)", () =>
    Effect.gen(function* () {
      const other = TronEncoding.nobody("another token")
      for (const contract of [usdtContract, usdtContract]) assert.isTrue(Exit.isSuccess(yield* start(contract)))
      const refused = yield* start(other)
      assert.isTrue(Exit.isFailure(refused))
      if (Exit.isFailure(refused)) {
        assert.include(
          Cause.pretty(refused.cause),
          `count the token ${usdtContract}, but TRON_USDT_CONTRACT is ${other}`
        )
      }
      assert.strictEqual((yield* (yield* TreasuryStore).treasury).token, usdtContract)
    }).pipe(inMarket)
  )
})
