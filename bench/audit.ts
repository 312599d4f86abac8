/** Measures the audits of a long ledger. */
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Database } from "@agent-marketplace/postgres/Database"
import { PostgresWalletStore } from "@agent-marketplace/postgres/wallets/PostgresWalletStore"
import { Clock, Effect, Layer, Redacted } from "effect"
import type { Client } from "pg"
import type { Sizes } from "./data.ts"
import { makePartitions } from "./ledger.ts"
import type { Line } from "./report.ts"
import { plain } from "./report.ts"

/** Purchases of a day, each with two lines. */
const day = 15_000

const most = 5

/** Sales of 1 USDT with a fee of 5 %: only their lines, and the balances of their wallets. */
const addDay = async (client: Client, { buyers, sellers }: Sizes): Promise<void> => {
  await makePartitions(client)
  await client.query("BEGIN")
  await client.query(
    `CREATE TEMP TABLE sale ON COMMIT DROP AS SELECT k, buyer.id AS buyer, seller.id AS seller FROM generate_series(1, $1::int) AS k
      JOIN bench.accounts AS buyer ON buyer.n = ${sellers} + k % ${buyers} JOIN bench.accounts AS seller ON seller.n = k % ${sellers}`,
    [day]
  )
  await client.query(`INSERT INTO ledger_lines (type, debit, debit_account, credit, credit_account, amount, reference, at)
    SELECT line.type, 'wallet', line.debit, line.credit, line.account, line.amount, 'pur_' || k, market_now() FROM sale, LATERAL (VALUES
      ('purchase', buyer, 'wallet', seller, 1000000), ('sale_fee', seller, 'platform', NULL, 50000)
    ) AS line (type, debit, credit, account, amount) ORDER BY k, line.type`)
  await client.query(`UPDATE wallets SET available = available - 1000000 * n, total_spent = total_spent + 1000000 * n
    FROM (SELECT buyer, count(*) AS n FROM sale GROUP BY buyer) AS spent WHERE account_id = buyer`)
  await client.query(`UPDATE wallets SET available = available + 950000 * n, total_earned = total_earned + 950000 * n
    FROM (SELECT seller, count(*) AS n FROM sale GROUP BY seller) AS earned WHERE account_id = seller`)
  await client.query("COMMIT")
}

/** Audits a long ledger, adds one day, and audits that day and then everything. */
export const audits = async (url: string, client: Client, sizes: Sizes): Promise<ReadonlyArray<Line>> => {
  const store = Layer.provide(PostgresWalletStore.layer, Database.layer({ url: Redacted.make(url) }))
  const measured = Effect.gen(function* () {
    const { audit, auditSinceCheckpoint } = yield* WalletStore
    const timed = Effect.fnUntraced(function* (one: typeof audit) {
      const started = performance.now()
      const { balanced, differences, entries, entriesRead } = yield* one
      if (!balanced) return yield* Effect.die(new Error(differences.slice(0, 3).join("; ")))
      return { seconds: (performance.now() - started) / 1000, entries, entriesRead }
    })
    const now = yield* Clock.currentTimeMillis
    const first = yield* timed(auditSinceCheckpoint(now))
    yield* Effect.promise(() => addDay(client, sizes))
    const daily = yield* timed(auditSinceCheckpoint(now + 1))
    return { first, daily, full: yield* timed(audit) }
  })
  const { daily, first, full } = await Effect.runPromise(Effect.provide(measured, store))
  const [read, all] = [daily.entriesRead, daily.entries].map((count) => count.toLocaleString("en"))
  return [
    plain(
      `audit of ${read} new lines among ${all}`,
      `${daily.seconds.toFixed(2)} s; the first ${first.seconds.toFixed(1)} s; of every line ${full.seconds.toFixed(1)} s`,
      `< ${most} s`,
      daily.seconds < most
    )
  ]
}
