import { createEmptyDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { Client } from "pg"
import type { QueryConfig } from "pg"
import { migrateBetween } from "./migrateBetween.ts"

export const connect = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

const addLines = `INSERT INTO ledger_lines (type, debit, debit_account, credit, credit_account, amount, reference, at)
  SELECT 'purchase', 'wallet', 'usr_' || n % 2000, 'wallet', 'usr_' || n % 50, 1, 'pur_' || n, now() FROM generate_series(1, $1::int) AS n`

const addEvents = `INSERT INTO events (type, at, subject, accounts, data)
  SELECT 'purchase.completed', now(), 'pur_' || n, '{usr_1}', '{}' FROM generate_series(1, $1::int) AS n`

/** The statements of a settlement in the previous release, in order: it reads the results, then writes lines, an event and a result. */
const readResult = `SELECT result FROM idempotent_results WHERE account_id = 'usr_w' AND key = $1`
const writeSale = `
  WITH line AS (
    INSERT INTO ledger_lines (type, debit, debit_account, credit, credit_account, amount, reference, at)
    SELECT 'purchase', 'wallet', 'usr_w', 'wallet', 'usr_v', 1, $1, now() FROM generate_series(1, 3)
  ), event AS (
    INSERT INTO events (type, at, subject, accounts, data) VALUES ('purchase.completed', now(), $1, '{usr_w}', '{}')
  )
  INSERT INTO idempotent_results (account_id, key, fingerprint, result, at) VALUES ('usr_w', $1, 'f', 'r', now())`

/** The statements of a worker in the previous release: in one transaction it reads the last event number, then the events. */
const readEvents = [
  "SELECT pg_advisory_xact_lock(7236518942)",
  "SELECT event_horizon()",
  "SELECT FROM events WHERE seq > 100 ORDER BY seq LIMIT 5"
]

/** Runs transactions until it is stopped. */
const repeating = (client: Client, statements: (n: number) => ReadonlyArray<QueryConfig>) => {
  const state = { stopped: false, count: 0, longest: 0 }
  const ended = (async () => {
    while (!state.stopped) {
      const started = performance.now()
      await client.query("BEGIN")
      for (const statement of statements(state.count)) await client.query(statement)
      await client.query("COMMIT")
      state.count += 1
      state.longest = Math.max(state.longest, performance.now() - started)
    }
  })()
  return {
    state,
    stop: () => {
      state.stopped = true
      return ended
    }
  }
}

const settling = (client: Client) =>
  repeating(client, (n) => [
    { name: "read", text: readResult, values: [`sale ${n}`] },
    { name: "write", text: writeSale, values: [`sale ${n}`] }
  ])

const dispatching = (client: Client) => repeating(client, () => readEvents.map((text) => ({ text })))

/**
 * Migrates a database with that many lines and events from one migration to another while processes of the previous release settle
 * and read events. Returns how many sales were settled, and the longest time of one in milliseconds.
 */
export const migratedLedger = async (stored: number, from: number, to: number) => {
  const url = await createEmptyDatabase()
  const [migrator, writer, reader] = [await connect(url), await connect(url), await connect(url)]
  try {
    await migrateBetween(migrator, 1, from)
    await migrator.query(addLines, [stored])
    await migrator.query(addEvents, [stored])
    await migrator.query("GRANT SELECT ON ledger_lines, events TO PUBLIC")
    await migrator.query("GRANT SELECT ON SEQUENCE ledger_lines_seq_seq, events_seq_seq TO PUBLIC")
    const { state, stop } = settling(writer)
    const { stop: stopReading } = dispatching(reader)
    const reaches = async (count: number) => {
      while (state.count < count) await migrator.query("SELECT pg_sleep(0.01)")
    }
    await reaches(20)
    await migrateBetween(migrator, from + 1, to)
    // The writer continues on the new tables.
    await reaches(state.count + 20)
    await stopReading()
    await stop()
    return { url, settled: state.count, longest: state.longest }
  } finally {
    await reader.end()
    await writer.end()
    await migrator.end()
  }
}
