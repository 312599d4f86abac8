import { EventLog } from "@agent-marketplace/core/events/EventLog"
import { StoreHealth } from "@agent-marketplace/core/health/StoreHealth"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { fund } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/Database.ts"
import { testStores } from "../testStores.ts"

const query = <Row extends object>(text: string) =>
  Effect.orDie(Effect.flatMap(Database, ({ sql }) => sql.unsafe<Row>(text)))

const issue = (last: bigint) => query(`SELECT setval('events_seq_seq', ${last})`)

const ends = Effect.map(
  query<{ readonly until: string }>(
    "SELECT until::text FROM numbered_partitions WHERE parent = 'events' ORDER BY first"
  ),
  (rows) => rows.map(({ until }) => BigInt(until))
)

const prepare = Effect.flatMap(StoreHealth, (health) => health.prepare)

layer(testStores, { excludeTestServices: true, timeout: "2 minutes" })("partitions of events", (it) => {
  it.effect("a reader continues from any event across partitions, without a gap (DATABASE-12, LIVE-2)", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const account = yield* openAccount()
      yield* fund(account, usdt(1))
      const [first = 0n] = yield* ends
      yield* issue(first - 3n)
      yield* prepare
      for (const amount of [2, 3, 4]) yield* fund(account, usdt(amount))
      const last = (yield* ends).at(-1) ?? 0n
      yield* issue(last + 5n)
      yield* fund(account, usdt(5))
      assert.include((yield* prepare) ?? "", "events_default")
      const stored = yield* query<{ readonly name: string }>(
        "SELECT tableoid::regclass::text AS name FROM events GROUP BY tableoid ORDER BY min(seq)"
      )
      assert.deepStrictEqual(
        stored.map(({ name }) => name),
        ["events_0", `events_${first}`, "events_default"]
      )
      const all = (yield* log.read(undefined, 100)).filter(({ accounts }) => accounts.includes(account.id))
      assert.deepStrictEqual(
        all.map(({ data }) => (data as { readonly amount?: string }).amount).filter((amount) => amount !== undefined),
        ["1.00", "2.00", "3.00", "4.00", "5.00"]
      )
      for (const [i, { cursor }] of all.entries()) {
        const rest = yield* log.read(cursor, 100)
        assert.deepStrictEqual(
          rest.filter(({ accounts }) => accounts.includes(account.id)).map(({ id }) => id),
          all.slice(i + 1).map(({ id }) => id)
        )
      }
    })
  )
})
