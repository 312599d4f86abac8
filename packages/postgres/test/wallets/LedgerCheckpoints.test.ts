import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { market } from "@agent-marketplace/testkit/fixtures/market"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { eventually } from "@agent-marketplace/testkit/fixtures/eventually"
import { fund, resultOf, settle } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Client } from "pg"
import { Database } from "../../src/Database.ts"
import { addCheckpoint, auditLedger } from "../../src/wallets/auditQueries.ts"
import { scannedWhole } from "../explain.ts"
import { testStores } from "../testStores.ts"

const auditNew = Effect.gen(function* () {
  const now = yield* (yield* MarketClock).now
  return yield* (yield* WalletStore).auditSinceCheckpoint(now)
})

const auditAll = Effect.flatMap(WalletStore, (store) => store.audit)

/** Changes rows that the triggers protect, as somebody with the superuser's rights could. */
const unprotected = Effect.fnUntraced(function* (...statements: ReadonlyArray<string>) {
  const { sql, transaction } = yield* Database
  const all = ["SET LOCAL session_replication_role = replica", ...statements]
  yield* transaction(Effect.forEach(all, (statement) => sql.unsafe(statement), { discard: true }))
})

/** Whether another session of this database fulfils the condition; with `change`, such as `pg_terminate_backend(pid)`, it is applied. */
const anySession = Effect.fnUntraced(function* (condition: string, change = "pid") {
  const { sql } = yield* Database
  const rows = yield* sql.unsafe(`SELECT ${change} FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`)
  return rows.length > 0
})

const checkpoints = Effect.gen(function* () {
  const { sql } = yield* Database
  const [row] = yield* sql<{ readonly count: bigint }>`SELECT count(*) AS count FROM ledger_checkpoints`
  return Number(row?.count)
})

layer(testStores, { excludeTestServices: true, timeout: "2 minutes" })("checkpoints of the audit", (it) => {
  it.effect(
    "a line changed after the checkpoint is found by the next audit, one before it by the full audit (OPERATOR-31)",
    () =>
      Effect.gen(function* () {
        const first = yield* openAccount()
        yield* fund(first, usdt(5))
        assert.isTrue((yield* auditNew).balanced)
        const second = yield* openAccount()
        yield* fund(second, usdt(5))
        const [kept, others] = [yield* checkpoints, (yield* auditAll).differences]
        assert.deepStrictEqual(others, [])

        yield* unprotected(`UPDATE ledger_lines SET amount = amount + 1 WHERE credit_account = '${second.id}'`)
        for (const _ of [1, 2]) {
          const found = yield* auditNew
          assert.isFalse(found.balanced)
          assert.include(found.differences.join(), `${second.id}: available is 5.00, its lines say 5.000001`)
        }
        assert.strictEqual(yield* checkpoints, kept, "an audit that finds a difference leaves no checkpoint")
        yield* unprotected(`UPDATE ledger_lines SET amount = amount - 1 WHERE credit_account = '${second.id}'`)
        assert.isTrue((yield* auditNew).balanced)

        // The wallet is changed with its line: only the digest tells.
        const change = (by: string) =>
          unprotected(
            `UPDATE ledger_lines SET amount = amount ${by} WHERE credit_account = '${first.id}'`,
            `UPDATE wallets SET available = available ${by}, total_deposits = total_deposits ${by} WHERE account_id = '${first.id}'`,
            `UPDATE audited_wallets SET available = available ${by}, total_deposits = total_deposits ${by} WHERE account_id = '${first.id}'`
          )
        yield* change("+ 1")
        assert.isTrue((yield* auditNew).balanced)
        const full = yield* auditAll
        assert.isFalse(full.balanced)
        assert.lengthOf(full.differences, 1)
        assert.match(
          full.differences[0] ?? "",
          /^ledger: the \d+ lines up to number \d+ are not the \d+ lines audited at 2/
        )
        yield* change("- 1")
        assert.deepStrictEqual((yield* auditAll).differences, [])

        yield* unprotected(`UPDATE wallets SET available = available + 1 WHERE account_id = '${first.id}'`)
        assert.deepStrictEqual((yield* auditNew).differences, [
          `${first.id}: available is 5.000001, its lines say 5.00`
        ])
        yield* unprotected(`UPDATE wallets SET available = available - 1 WHERE account_id = '${first.id}'`)
      })
  )

  it.effect("a deleted line is found by the full audit; checkpoints are append-only", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const account = yield* openAccount()
      yield* fund(account, usdt(3))
      yield* auditNew
      const line = `FROM ledger_lines WHERE credit_account = '${account.id}'`
      yield* unprotected(`CREATE TABLE removed AS SELECT * ${line}`, `DELETE ${line}`)
      assert.lengthOf(
        (yield* auditAll).differences.filter((each) => each.startsWith("ledger: ")),
        1
      )
      yield* unprotected(`INSERT INTO ledger_lines OVERRIDING SYSTEM VALUE SELECT * FROM removed`, `DROP TABLE removed`)
      assert.deepStrictEqual((yield* auditAll).differences, [])
      for (const change of ["UPDATE ledger_checkpoints SET digest = 0", "DELETE FROM ledger_checkpoints"])
        assert.strictEqual((yield* Effect.exit(sql.unsafe(change)))._tag, "Failure", change)
    })
  )

  it.effect("an audit waits for lines that are numbered but not committed, and none is left out (OPERATOR-31)", () =>
    Effect.gen(function* () {
      const { sql, transaction } = yield* Database
      const account = yield* openAccount()
      yield* fund(account, usdt(1))
      const [inserted, mayCommit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const slow = yield* Effect.forkChild(
        transaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO ledger_lines (type, debit, credit, credit_account, amount, reference, at)
              VALUES ('deposit', 'chain', 'wallet', ${account.id}, 7, 'late', now())`
            yield* sql`INSERT INTO wallet_credits (account_id, available, locked, total_deposits, total_withdrawals, total_spent, total_earned)
              VALUES (${account.id}, 7, 0, 7, 0, 0, 0)`
            yield* Deferred.succeed(inserted, undefined)
            yield* Deferred.await(mayCommit)
          })
        )
      )
      yield* Deferred.await(inserted)
      const other = yield* openAccount()
      yield* fund(other, usdt(1))
      const audit = yield* Effect.forkChild(auditNew)
      yield* eventually("the audit waits", anySession("query LIKE '%virtualtransaction = ANY%'"))
      yield* Deferred.succeed(mayCommit, undefined)
      yield* Fiber.join(slow)
      assert.deepStrictEqual((yield* Fiber.join(audit)).differences, [])
      const next = yield* auditNew
      assert.deepStrictEqual([next.differences, next.entriesRead], [[], 0])
      const full = yield* auditAll
      assert.deepStrictEqual([full.differences, full.entries], [[], next.entries])
    }).pipe(Effect.scoped)
  )

  it.effect("an audit that is killed leaves no checkpoint, and the next one reads the same lines (OPERATOR-31)", () =>
    Effect.gen(function* () {
      const { longTransaction, sql } = yield* Database
      yield* auditNew
      yield* fund(yield* openAccount(), usdt(1))
      const before = yield* checkpoints
      const [locked, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      // On a busy machine the audit arrives only after the time limit of an ordinary transaction.
      const blocking = yield* Effect.forkChild(
        longTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE audited_wallets IN SHARE MODE`
            yield* Deferred.succeed(locked, undefined)
            yield* Deferred.await(mayEnd)
          })
        )
      )
      yield* Deferred.await(locked)
      const killed = yield* Effect.forkChild(Effect.exit(auditNew))
      // It has added the checkpoint and is about to add the sums of the wallets.
      const blocked = "wait_event_type = 'Lock' AND query LIKE '%INSERT INTO audited_wallets%'"
      yield* eventually("the audit is blocked", anySession(blocked))
      yield* anySession(blocked, "pg_terminate_backend(pid)")
      assert.strictEqual((yield* Fiber.join(killed))._tag, "Failure")
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(blocking)
      assert.strictEqual(yield* checkpoints, before)
      const next = yield* auditNew
      assert.deepStrictEqual([next.differences, next.entriesRead], [[], 1])
      assert.strictEqual(yield* checkpoints, before + 1)
    }).pipe(Effect.scoped)
  )

  it.effect("audits beside purchases read every line exactly once", () =>
    Effect.gen(function* () {
      const { seller } = yield* market()
      const items = yield* Effect.forEach(Array.from({ length: 30 }), () => listingOnSale(seller, { price: usdt(1) }))
      const buyers = yield* Effect.forEach([1, 2, 3, 4], () => openAccount())
      for (const buyer of buyers) yield* fund(buyer, usdt(50))
      const before = yield* auditNew
      const buying = yield* Effect.forkChild(
        Effect.forEach(
          items.flatMap((item) => buyers.map((buyer) => Commands.buy(buyer, item))),
          (command) => Effect.map(settle(command), (outcome) => resultOf(outcome, "Bought")),
          { concurrency: 8, discard: true }
        )
      )
      const audits = (count: number) =>
        Effect.forEach(
          Array.from({ length: count }),
          () =>
            Effect.map(auditNew, ({ differences }) => {
              assert.deepStrictEqual(differences, [])
            }),
          { concurrency: 2, discard: true }
        )
      yield* audits(12)
      yield* Fiber.join(buying)
      const last = yield* auditNew
      const full = yield* auditAll
      assert.deepStrictEqual([last.entries, full.differences], [full.entries, []])
      assert.isAtLeast(full.entries - before.entries, 240)
      assert.isAbove(yield* checkpoints, 1)
    }).pipe(Effect.scoped)
  )
})

describe("plans of the audit", () => {
  it("an audit since the checkpoint does not read the whole ledger", async () => {
    const client = new Client({
      connectionString: await createDatabase(),
      options: "-c random_page_cost=1.1 -c jit=off"
    })
    await client.connect()
    await client.query(`INSERT INTO ledger_lines (type, debit, debit_account, credit, credit_account, amount, reference, at)
      SELECT 'purchase', 'wallet', 'usr_' || n % 500, 'wallet', 'usr_' || n % 50, 1, 'pur_' || n, now() FROM generate_series(1, 100000) AS n`)
    await client.query("VACUUM ANALYZE ledger_lines")
    const whole = (text: string, parameters: ReadonlyArray<unknown>) =>
      scannedWhole(client, { text, parameters }, ["ledger_lines"])
    assert.deepStrictEqual(await whole(auditLedger, [99_000]), [])
    assert.deepStrictEqual(await whole(addCheckpoint, [98_000, 99_000, new Date()]), [])
    assert.isNotEmpty(await whole(auditLedger, [0]))
    await client.end()
  })
})
