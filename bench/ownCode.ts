/**
 * `npm run bench -- --own-code`: what the project's own code wins over the alternative of its libraries (docs/decisions/0027), and what
 * decoding the rows of a purchase costs (docs/decisions/0026).
 */
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import { readSetOf } from "@agent-marketplace/core/settlement/ReadSet"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { Database } from "@agent-marketplace/postgres/Database"
import { makeDeadline } from "@agent-marketplace/postgres/Deadline"
import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import { decodeSale, decodeWallets, loadState } from "@agent-marketplace/postgres/settlement/loadState"
import { agePurchases } from "@agent-marketplace/postgres/settlement/Popularity"
import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import type { SqlClient } from "effect/sql/SqlClient"
import { Config, ConfigProvider, Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { RateLimiter } from "effect/persistence"
import type { Client } from "pg"
import type { Sizes } from "./data.ts"
import { accountId, listingFor, listingId } from "./data.ts"
import { median } from "./report.ts"

const rounds = 5

/** Microseconds of one of many runs: the median of some rounds, after one that is not counted. */
const microseconds = async (times: number, run: (times: number) => unknown): Promise<number> => {
  await run(times)
  const taken: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await run(times)
    taken.push(((performance.now() - started) * 1000) / times)
  }
  return median(taken)
}

const concurrency = 64

/** As a query, it ends after other work had its turn. */
const query = Effect.callback<number>((resume) => {
  setImmediate(() => resume(Effect.succeed(1)))
})

const many = (times: number, effect: Effect.Effect<number, string>) =>
  Effect.runPromise(
    Effect.forEach(
      Array.from({ length: times / concurrency }),
      () =>
        Effect.all(
          Array.from({ length: concurrency }, () => effect),
          { concurrency }
        ),
      { discard: true }
    )
  )

const deadlines = Effect.scoped(
  Effect.gen(function* () {
    const deadline = yield* makeDeadline(1000)
    const library = Effect.timeoutOrElse(query, { duration: "1 second", orElse: () => Effect.fail("late") })
    const measure = (effect: Effect.Effect<number, string>) =>
      Effect.promise(() => microseconds(32_000, (times) => many(times, effect)))
    const bare = yield* measure(query)
    const own = (yield* measure(deadline(query, () => "late"))) - bare
    const theirs = (yield* measure(library)) - bare
    return `deadline of a query: ${own.toFixed(1)} µs; Effect.timeoutOrElse: ${theirs.toFixed(1)} µs`
  })
)

const wrong = { PORT: "http", RATE_LIMITS: "maybe", PLATFORM_FEE_BPS: "-1" }

const libraryConfig = Config.all({
  port: Config.schema(Schema.Int, "PORT"),
  rateLimits: Config.schema(Schema.Literals(["on", "off"]), "RATE_LIMITS"),
  fee: Config.schema(Schema.Natural, "PLATFORM_FEE_BPS")
})

const configuration = Effect.gen(function* () {
  const named = (error: unknown) => {
    const text = `${String(error)} ${JSON.stringify(error)}`
    return Object.keys(wrong).filter((name) => text.includes(name)).length
  }
  const theirs = yield* Effect.orDie(Effect.flip(libraryConfig.parse(ConfigProvider.fromUnknown(wrong))))
  return `wrong variables named, of 3: ${named(readConfiguration(wrong))}; Config.all: ${named(theirs)}`
})

/** An agent's request counts against the agent's hour and its owner's. The store counts its calls, each of which is a round trip to Redis. */
const rateLimits = Effect.gen(function* () {
  const store = yield* RateLimiter.RateLimiterStore
  let calls = 0
  const counting = RateLimiter.RateLimiterStore.of({
    ...store,
    fixedWindow: (options) => Effect.suspend(() => (calls++, store.fixedWindow(options)))
  })
  const limiter = yield* Effect.provideService(RateLimiter.make, RateLimiter.RateLimiterStore, counting)
  const take = (key: string, limit: number) => limiter.consume({ key, limit, window: "1 minute" })
  const { resetAfter } = yield* take("agent", 60)
  yield* take("owner", 600)
  const trips = calls
  // The owner's limit refuses the second request, which has then already been counted for the agent.
  yield* take("agent", 60)
  yield* Effect.exit(limiter.consume({ key: "owner", limit: 1, window: "1 minute" }))
  const { remaining } = yield* take("agent", 60)
  // Three requests were taken, one of which was refused.
  const lost = 60 - 2 - remaining
  return (
    `rate limits by Effect's RateLimiter: ${trips} round trips for a request (own: 1), a refused request takes ${lost} of its ` +
    `other limit (own: 0), a window of 60 s ends after ${Duration.toSeconds(resetAfter)} s (own: 60)`
  )
}).pipe(Effect.provide(RateLimiter.layerStoreMemory))

const popularityAnew = `
  UPDATE item_stats SET aged_buyers = anew.buyers, popularity = popularity_of(sales, anew.buyers, downloads)
  FROM (
    SELECT item_id, count(DISTINCT buyer_id)::int AS buyers FROM purchases
    WHERE status = 'completed' AND amount > 0 AND purchased_at <= market_now() - interval '1 day' GROUP BY item_id
  ) AS anew WHERE item_stats.item_id = anew.item_id`

const newlyDue = 100

const popularity = Effect.fnUntraced(function* (client: Client) {
  const { sql, transaction } = yield* Database
  const { rows } = yield* Effect.promise(() =>
    client.query<{ at: Date; seq: string }>(
      `SELECT at, seq FROM events WHERE type = 'purchase.completed' AND at <= market_now() - interval '1 day'
       ORDER BY at DESC, seq DESC OFFSET ${newlyDue} LIMIT 1`
    )
  )
  const before = [rows[0]?.at, rows[0]?.seq]
  const timed = <A, E>(work: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const taken: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        yield* Effect.promise(() => client.query("UPDATE popularity_cursor SET at = $1, seq = $2", before))
        const started = performance.now()
        yield* Effect.orDie(work)
        taken.push(performance.now() - started)
      }
      return median(taken)
    })
  const own = yield* timed(transaction(agePurchases(sql)))
  const anew = yield* timed(Effect.promise(() => client.query(popularityAnew)))
  return `popularity, ${newlyDue} purchases more: ${own.toFixed(1)} ms; counted anew: ${anew.toFixed(1)} ms`
})

/** Two processes on one database, as far as announcements are concerned. */
const acknowledgements = Effect.fnUntraced(function* (url: string) {
  const other = Context.get(yield* Layer.build(Layer.fresh(storesOn(url))), MarketClock)
  const clock = yield* MarketClock
  const taken: Array<number> = []
  let current = 0
  for (let round = 0; round < 20; round++) {
    const before = yield* clock.now
    const started = performance.now()
    yield* clock.advance(3600)
    taken.push(performance.now() - started)
    if ((yield* other.now) >= before + 3_600_000) current++
  }
  return `announcement that another process has acknowledged: ${median(taken).toFixed(1)} ms, ${current} of 20 in effect there on return`
})

const batchSize = 64

const rows = Effect.fnUntraced(function* (sizes: Sizes) {
  const { sql } = yield* Database
  const store = yield* SettlementStore
  const services = yield* Effect.context<never>()
  let round = 0
  const batch = () => {
    round++
    return Array.from({ length: batchSize }, (_, i) =>
      Commands.buy({ id: accountId(sizes.sellers + ((round * batchSize + i) % sizes.buyers)) as AccountId }, {
        id: listingId(listingFor((round * batchSize + i) % sizes.buyers, round, sizes)) as ItemId
      } as never)
    )
  }
  const results: Array<unknown> = []
  const recording = {
    unsafe: (text: string, parameters: ReadonlyArray<unknown>) =>
      Effect.tap(sql.unsafe(text, parameters as never), (found) => Effect.sync(() => results.push(found)))
  } as unknown as SqlClient
  yield* loadState(recording, readSetOf(batch()))
  const [locked, [sale] = []] = results as [ReadonlyArray<unknown>, ReadonlyArray<unknown>]
  const decoding =
    (yield* Effect.promise(() =>
      microseconds(200, (times) => {
        for (let i = 0; i < times; i++) {
          decodeWallets(locked)
          decodeSale(sale)
        }
      })
    )) / batchSize
  const purchase =
    (yield* Effect.promise(() =>
      microseconds(20, async (times) => {
        for (let i = 0; i < times; i++) await Effect.runPromiseWith(services)(store.settle(batch()))
      })
    )) / batchSize
  const without = 1e6 / (purchase - decoding)
  return `a purchase in batches of ${batchSize}: ${purchase.toFixed(0)} µs (${(1e6 / purchase).toFixed(0)}/s), of which decoding its rows ${decoding.toFixed(1)} µs (${((100 * decoding) / purchase).toFixed(1)} %; without: ${without.toFixed(0)}/s)`
})

const storesOn = (url: string) => {
  const config = { url: Redacted.make(url) }
  return Layer.provideMerge(PostgresStores.layer(config), Database.layer(config)).pipe(Layer.provide(NodeCrypto.layer))
}

const print = <E, R>(measured: Effect.Effect<string, E, R>) => Effect.map(measured, (line) => console.log(line))

/** Requires a filled database. Prints one line for each measurement. */
export const ownCode = (url: string, client: Client, sizes: Sizes): Promise<void> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.all(
        [
          print(configuration),
          print(rateLimits),
          print(deadlines),
          print(rows(sizes)),
          print(popularity(client)),
          print(acknowledgements(url))
        ],
        { discard: true }
      )
    ).pipe(Effect.provide(storesOn(url)))
  )
