import { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import { actionDraft } from "@agent-marketplace/testkit/fixtures/actionDraft"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { hotWallet, receiver } from "../fixtures/keys.ts"
import { inMarket, withdraw, withdrawalOf } from "../fixtures/market.ts"
import { rich, untilPaid } from "../fixtures/payouts.ts"

it.live("a worker with the key of another wallet than the market's pays nothing and names both (TREASURY-1)", () =>
  Effect.gen(function* () {
    const treasury = yield* TreasuryStore
    yield* treasury.claim({ hot: receiver })
    const market = yield* rich
    const waiting = yield* withdraw(20)
    const refused = yield* Effect.flip(market.worker.process)
    assert.strictEqual(refused._tag, "ChainUnavailable")
    assert.include(String(refused), `this process pays from ${hotWallet}, but the market's hot wallet is ${receiver}`)
    assert.isEmpty(market.network.pool)
    assert.strictEqual((yield* withdrawalOf(waiting)).state, "queued")
    const moved = { from: receiver, to: hotWallet }
    assert.isTrue(yield* treasury.setWallet("hot", moved, actionDraft("treasury.set", "hot")))
    yield* untilPaid(market, [waiting])
  }).pipe(inMarket)
)
