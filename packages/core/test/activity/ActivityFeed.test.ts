import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, PubSub, Redacted, Stream } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { ActivityFeed } from "../../src/activity/ActivityFeed.ts"
import { ActivityStore } from "../../src/activity/ActivityStore.ts"
import { MarketConfig } from "../../src/config/MarketConfig.ts"
import { EventLog } from "../../src/events/EventLog.ts"

const config = Layer.succeed(MarketConfig, {
  platformFeeBps: 500,
  withdrawalFee: usdt(1),
  withdrawalMinimum: usdt(5),
  withdrawalReviewAbove: null,
  coinRate: null,
  proceedsHoldDays: 0,
  refundCoverLimit: usdt(1000),
  listingReview: "auto",
  soulContent: "open",
  baseUrl: "http://localhost:3000",
  secret: Redacted.make("0123456789abcdef0123456789abcdef")
})

it.effect("shows what was appended right after the market was built (FEED-14)", () =>
  Effect.gen(function* () {
    const appended = yield* PubSub.unbounded<void>()
    let trades = 0
    const recent = Effect.sync(() => ({ events: [], activeAgents: 0, trades, revenue: usdt(trades) }))
    const needs = Layer.mergeAll(
      Layer.succeed(ActivityStore, { recent: () => recent, happened: () => Effect.succeed([]) }),
      Layer.succeed(EventLog, {
        read: () => Effect.succeed([]),
        end: Effect.succeed("0"),
        readFor: (_reader, cursor) => Effect.succeed({ events: [], cursor }),
        usersOf: () => Effect.succeed([]),
        holdersOf: () => Effect.succeed([]),
        appended: Stream.fromPubSub(appended)
      }),
      config,
      Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))
    )
    const read = Effect.gen(function* () {
      const feed = yield* ActivityFeed
      const before = yield* feed.live(10)
      trades = 1
      PubSub.publishUnsafe(appended, undefined)
      return [before, yield* feed.live(10)]
    })
    const [before, after] = yield* Effect.provide(read, ActivityFeed.layer.pipe(Layer.provide(needs)))
    assert.include(before, '"tradesLast24h":0')
    assert.include(after, '"tradesLast24h":1')
  })
)
