/** Settles batches of purchases directly on the store, and counts what each purchase costs. */
import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { Database } from "@agent-marketplace/postgres/Database"
import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, Redacted, Result } from "effect"
import { performance } from "node:perf_hooks"
import type { Client } from "pg"
import { cpuSeconds } from "./cpu.ts"
import type { Sizes } from "./data.ts"
import { accountId, listingFor, listingId } from "./data.ts"

export interface SettleTask {
  readonly batch: number
  /** Concurrent batches, each on a connection of its own. */
  readonly inFlight: number
  /** The run ends after this time or this number of purchases, whichever comes first. */
  readonly seconds: number
  readonly purchases?: number
  /** `item`: all purchases are of one item; `payer`: all are by one payer. */
  readonly hot?: "item" | "payer"
}

export interface Settled {
  readonly purchases: number
  readonly perSecond: number
  /** Milliseconds of one batch. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of processor time for each purchase. */
  readonly database: number
  readonly driver: number
  /** Microseconds of the driver's thread for each purchase, with the time in which it waited for a processor. */
  readonly thread: number
  /** Bytes of WAL for each purchase. */
  readonly walBytes: number
  /** What connections waited for when they were sampled, as shares; `cpu` is none. */
  readonly waits: ReadonlyMap<string, number>
}

export type SettleRun = (task: SettleTask) => Promise<Settled>

/** The number of the next purchase of each kind, so that no buyer buys an item twice. The last buyer is only the hot payer. */
const next = { all: 0, item: 0, payer: 0 }

const commandsFor = (sizes: Sizes, { batch, hot }: SettleTask) => {
  const { sellers } = sizes
  const buyers = sizes.buyers - 1
  return Array.from({ length: batch }, () => {
    const n = next[hot ?? "all"]++
    const buyer = hot === "payer" ? buyers : n % buyers
    const item =
      hot === "item" ? Math.floor(n / buyers) : listingFor(buyer, hot === "payer" ? n : Math.floor(n / buyers), sizes)
    return Commands.buy({ id: accountId(sellers + buyer) as AccountId }, { id: listingId(item) as ItemId })
  })
}

const sample = `SELECT coalesce(wait_event_type || ' ' || wait_event, 'cpu') AS name, count(*)::int AS count FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle' GROUP BY 1`

const interval = 25

const sampleWaits = (client: Client) => {
  const counts = new Map<string, number>()
  let sampling = Promise.resolve()
  const timer = setInterval(() => {
    sampling = sampling.then(async () => {
      for (const { count, name } of (await client.query<{ name: string; count: number }>(sample)).rows)
        counts.set(name, (counts.get(name) ?? 0) + count)
    })
  }, interval)
  return {
    stop: async (): Promise<ReadonlyMap<string, number>> => {
      clearInterval(timer)
      await sampling
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
      const shares = [...counts].map(([name, count]) => [name, count / total] as const)
      return new Map(shares.toSorted(([, a], [, b]) => b - a))
    }
  }
}

const walCounters = `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes`

/** Times in microseconds. */
const countersOf = async (client: Client, databasePid: number) => {
  const { rows } = await client.query<{ bytes: number }>(walCounters)
  const { system, user } = process.cpuUsage()
  return {
    at: performance.now() * 1000,
    database: (cpuSeconds([databasePid]) ?? Number.NaN) * 1e6,
    driver: user + system,
    thread: performance.eventLoopUtilization().active * 1000,
    walBytes: rows[0]?.bytes ?? Number.NaN
  }
}

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

/** The caller's connection is used only for observation. */
export const withSettlement = (
  url: string,
  databasePid: number,
  client: Client,
  sizes: Sizes,
  connections: number,
  use: (run: SettleRun) => Promise<void>
): Promise<void> => {
  const config = { url: Redacted.make(url), writeConnections: connections }
  const stores = Layer.provideMerge(PostgresStores.layer(config), Database.layer(config)).pipe(
    Layer.provide(NodeCrypto.layer)
  )
  const program = Effect.gen(function* () {
    const { settle } = yield* SettlementStore
    const services = yield* Effect.context<never>()
    const runner = Effect.runPromiseWith(services)
    const settleOne = async (task: SettleTask): Promise<void> => {
      const outcomes = await runner(Effect.orDie(settle(commandsFor(sizes, task))))
      const failed = outcomes.find((outcome) => Result.isFailure(outcome))
      if (failed !== undefined) throw new Error(`a purchase was refused: ${JSON.stringify(failed)}`)
    }
    const repeat = async (task: SettleTask): Promise<ReadonlyArray<number>> => {
      const until = performance.now() + task.seconds * 1000
      const most = (task.purchases ?? Number.POSITIVE_INFINITY) / task.batch
      const taken: Array<number> = []
      let started = 0
      const loop = async () => {
        while (performance.now() < until && started++ < most) {
          const from = performance.now()
          await settleOne(task)
          taken.push(performance.now() - from)
        }
      }
      await Promise.all(Array.from({ length: task.inFlight }, loop))
      return taken
    }
    const run: SettleRun = async (task) => {
      const waits = sampleWaits(client)
      const before = await countersOf(client, databasePid)
      const taken = await repeat(task).finally(waits.stop)
      const after = await countersOf(client, databasePid)
      const purchases = taken.length * task.batch
      const each = (name: keyof typeof after) => (after[name] - before[name]) / purchases
      return {
        purchases,
        perSecond: 1e6 / each("at"),
        p50: percentile(taken, 0.5),
        p99: percentile(taken, 0.99),
        database: each("database"),
        driver: each("driver"),
        thread: each("thread"),
        walBytes: each("walBytes"),
        waits: await waits.stop()
      }
    }
    yield* Effect.promise(() => use(run))
  })
  return Effect.runPromise(Effect.scoped(Effect.provide(program, stores)))
}
