import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { StoreHealth } from "@agent-marketplace/core/health/StoreHealth"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { fund } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/Database.ts"
import { addCheckpoint } from "../../src/wallets/auditQueries.ts"
import { testStores } from "../testStores.ts"

const query = <Row extends object>(text: string) =>
  Effect.orDie(Effect.flatMap(Database, ({ sql }) => sql.unsafe<Row>(text)))

interface Partition {
  readonly first: string
  readonly until: string
}

const partitions = query<Partition>(
  "SELECT first::text, until::text FROM numbered_partitions WHERE parent = 'ledger_lines' ORDER BY numbered_partitions.first"
)

const issue = (last: string | undefined) => query(`SELECT setval('ledger_lines_seq_seq', ${last}::bigint)`)

const prepare = Effect.flatMap(StoreHealth, (health) => health.prepare)

/** The number of lines of an account in each partition, by its table. */
const storedIn = (account: string) =>
  Effect.map(
    query<{ readonly name: string; readonly count: number }>(
      `SELECT tableoid::regclass::text AS name, count(*)::int AS count FROM ledger_lines
       WHERE credit_account = '${account}' GROUP BY 1 ORDER BY min(seq)`
    ),
    (rows) => rows.map(({ count, name }) => [name, count] as const)
  )

const auditNew = Effect.gen(function* () {
  const now = yield* (yield* MarketClock).now
  return yield* (yield* WalletStore).auditSinceCheckpoint(now)
})

layer(testStores, { excludeTestServices: true, timeout: "2 minutes" })("partitions of the ledger", (it) => {
  it.effect(
    "are made ahead when half of the last one is used, each once; the lists of a wallet span them (DATABASE-10)",
    () =>
      Effect.gen(function* () {
        const account = yield* openAccount()
        yield* fund(account, usdt(1))
        assert.isNull(yield* prepare)
        const [first, ...more] = yield* partitions
        assert.deepStrictEqual([first?.first, more], ["0", []], "a small ledger has one partition")
        yield* issue(String(BigInt(first?.until ?? 0) / 2n))
        yield* Effect.all([prepare, prepare], { concurrency: 2 })
        const made = yield* partitions
        assert.lengthOf(made, 2)
        assert.strictEqual(made[1]?.first, first?.until)
        yield* issue(String(BigInt(first?.until ?? 0) - 2n))
        for (const amount of [2, 3, 4]) yield* fund(account, usdt(amount))
        assert.deepStrictEqual(yield* storedIn(account.id), [
          ["ledger_lines_0", 2],
          [`ledger_lines_${first?.until}`, 2]
        ])
        const page = yield* (yield* WalletStore).transactions(account.id, { page: 1, limit: 3 })
        assert.deepStrictEqual(
          page.items.map(({ amount, balanceAfter }) => [amount, balanceAfter]),
          [
            [usdt(4), usdt(10)],
            [usdt(3), usdt(6)],
            [usdt(2), usdt(3)]
          ]
        )
        assert.strictEqual(page.total, 4)
        assert.deepStrictEqual((yield* (yield* WalletStore).audit).differences, [])
      })
  )

  it.effect("an audit since a checkpoint does not read the partitions before it (OPERATOR-31)", () =>
    Effect.gen(function* () {
      yield* prepare
      const account = yield* openAccount()
      yield* fund(account, usdt(1))
      assert.isTrue((yield* auditNew).balanced)
      yield* fund(account, usdt(1))
      const { sql, transaction } = yield* Database
      const [row] = yield* query<{ readonly last: string }>("SELECT last_number('ledger_lines')::text AS last")
      const last = BigInt(row?.last ?? 0)
      const plan = yield* transaction(
        Effect.andThen(
          sql.unsafe("SET LOCAL plan_cache_mode = force_custom_plan"),
          sql.unsafe<Record<string, unknown>>(`EXPLAIN (FORMAT JSON) ${addCheckpoint}`, [
            last - 1n,
            last,
            "2026-01-01T00:00:00Z"
          ])
        )
      )
      const tables = [...JSON.stringify(plan).matchAll(/ledger_lines_(\w+?)["\\]/g)].map((match) => match[1])
      const [older] = yield* partitions
      assert.isAbove(Number(last), Number(older?.until))
      assert.notInclude(tables, "0")
      const audit = yield* auditNew
      assert.deepStrictEqual([audit.entriesRead, audit.differences], [1, []])
    })
  )

  it.effect("no line is changed or removed in any partition, even by its name", () =>
    Effect.gen(function* () {
      const tables = ["0", "default", ...(yield* partitions).map(({ first }) => first)].map(
        (each) => `ledger_lines_${each}`
      )
      for (const table of ["ledger_lines", ...tables])
        for (const change of [`UPDATE ${table} SET amount = 1`, `DELETE FROM ${table}`, `TRUNCATE ${table}`]) {
          const { sql } = yield* Database
          const failure = yield* Effect.flip(sql.unsafe(change))
          assert.strictEqual(failure.reason._tag, "ConstraintError", change)
        }
    })
  )

  it.effect(
    "without a partition lines are stored and counted, the operator is warned, and later lines get partitions (DATABASE-11)",
    () =>
      Effect.gen(function* () {
        const account = yield* openAccount()
        yield* fund(account, usdt(1))
        const beyond = BigInt((yield* partitions).at(-1)?.until ?? 0) + 7n
        yield* issue(String(beyond))
        yield* fund(account, usdt(2))
        assert.strictEqual((yield* storedIn(account.id)).at(-1)?.[0], "ledger_lines_default")
        assert.include((yield* prepare) ?? "", "ledger_lines_default")
        const next = (yield* partitions).find(({ first }) => BigInt(first) > beyond)
        yield* issue(String(BigInt(next?.first ?? 0) - 1n))
        assert.isNull(yield* prepare)
        yield* fund(account, usdt(3))
        assert.deepStrictEqual(
          (yield* storedIn(account.id)).slice(-2).map(([name]) => name),
          ["ledger_lines_default", `ledger_lines_${next?.first}`]
        )
        const page = yield* (yield* WalletStore).transactions(account.id, { page: 1, limit: 9 })
        assert.deepStrictEqual(
          page.items.map(({ amount }) => amount),
          [usdt(3), usdt(2), usdt(1)]
        )
        assert.deepStrictEqual(
          [(yield* auditNew).differences, (yield* (yield* WalletStore).audit).differences],
          [[], []]
        )
      })
  )

  it.effect("a long read delays new partitions but blocks no writes, and a later run creates them (DATABASE-11)", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      const last = (yield* partitions).at(-1)
      yield* issue(String(BigInt(last?.until ?? 0) - 100n))
      const { sql, transaction } = yield* Database
      const before = (yield* partitions).length
      yield* transaction(
        Effect.gen(function* () {
          yield* sql.unsafe("SELECT count(*) FROM ledger_lines_default")
          yield* prepare
          yield* fund(account, usdt(1))
        })
      )
      assert.lengthOf(yield* partitions, before)
      assert.isNull(yield* prepare)
      assert.isAbove((yield* partitions).length, before)
    })
  )
})
