import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { finalise, inMarket, withdraw } from "../fixtures/market.ts"
import { funded, request, rich, untilPaid } from "../fixtures/payouts.ts"

describe("payouts of many accounts", () => {
  it.live("the slowest of 50 accounts waits at most twice as long beside an account that floods (WITHDRAWAL-22)", () =>
    Effect.gen(function* () {
      const fifty = Effect.forEach(Array.from({ length: 50 }), () => withdraw(20))
      const alone = yield* rich
      const quiet = yield* untilPaid(alone, yield* fifty)
      const beside = yield* rich
      const flooder = yield* funded
      let flooded = 0
      const flood = Effect.gen(function* () {
        while (Result.isSuccess(yield* request(flooder))) flooded++
      })
      yield* flood
      const busy = yield* untilPaid(beside, yield* fifty, flood)
      const shown = ({ before, blocks }: typeof quiet) => `${blocks} blocks, after ${before} other payments`
      process.stdout.write(`the slowest of 50 waits ${shown(quiet)}; beside ${flooded} of one account ${shown(busy)}\n`)
      assert.isAbove(flooded, 9)
      assert.isAtMost(busy.blocks, 2 * quiet.blocks)
      assert.isAtMost(busy.before, 2 * quiet.before, "so many payments are sent before the slowest one")
      const others = busy.before - quiet.before
      assert.isAtMost(others, busy.blocks, "the account that floods has at most one turn in each block")
      finalise(beside.network)
      yield* assertBooks
    }).pipe(inMarket)
  )
})
