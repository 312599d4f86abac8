/** Measures how long an event takes from its transaction to the clients of many open streams, and what the streams cost. */
import { get } from "node:http"
import type { IncomingMessage } from "node:http"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { Client } from "pg"
import { cpuSeconds } from "./cpu.ts"
import { startServer } from "./processes.ts"
import type { Line } from "./report.ts"
import { judged, median } from "./report.ts"

const adminToken = "operator-token-of-the-benchmark-0123456789"

/** The most streams of one key. */
const perKey = 10

/** Events each second, and for how many seconds. */
const rate = 100

/** Connections that write events, so that the time of a commit does not limit the rate. */
const writers = 8

/** How many streams are opened concurrently. */
const openedAtOnce = 50

/** The required median delay in milliseconds, and the required memory of a stream in kilobytes. */
const [most, mostMemory] = [100, 40]

const insert = `INSERT INTO events (type, at, subject, accounts, data)
  SELECT 'deposit.confirmed', now(), 'bench', ARRAY[account], json_build_object('txHash', $2::text, 'address',
    'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'amount', '12.50', 'currency', 'USDT') FROM unnest($1::text[]) AS account`

interface Account {
  readonly id: string
  readonly key: string
}

const signUp = async (port: number): Promise<Account> => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/accounts`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ name: "Ada" })
  })
  const { data } = (await response.json()) as { data: { account: { id: string }; apiKey: { key: string } } }
  return { id: data.account.id, key: data.apiKey.key }
}

/** Opens one stream; each message carries the time at which its event was written. */
const follow = (port: number, key: string, delays: Array<number>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    get({ host: "127.0.0.1", port, path: "/api/v1/events/stream", headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`a stream was refused with ${response.statusCode}`))
      response.setEncoding("utf8")
      response.once("data", () => resolve(response))
      response.on("data", (text: string) => {
        const now = performance.timeOrigin + performance.now()
        for (const [, at] of text.matchAll(/"txHash":"([\d.]+)"/g)) delays.push(now - Number(at))
      })
      response.on("error", () => {})
    }).on("error", reject)
  })

const p99 = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0

/** Requires a migrated database. Each event is for one account, whose streams all get it. */
export const streams = async (
  folder: string,
  databaseUrl: string,
  count: number,
  seconds: number
): Promise<ReadonlyArray<Line>> => {
  const environment = {
    DATABASE_URL: databaseUrl,
    ADMIN_TOKEN: adminToken,
    WORKER: "external",
    RATE_LIMITS: "off",
    LOG_LEVEL: "Warn",
    DATA_DIR: join(folder, "streams")
  }
  const server = await startServer("market", folder, environment)
  const clients = Array.from({ length: writers }, () => new Client({ connectionString: databaseUrl }))
  for (const client of clients) await client.connect()
  const accounts: Array<Account> = []
  while (accounts.length * perKey < count) accounts.push(await signUp(server.port))
  const before = server.memory()
  const delays: Array<number> = []
  const opened: Array<IncomingMessage> = []
  const keys = accounts.flatMap(({ key }) => Array.from({ length: perKey }, () => key)).slice(0, count)
  for (let n = 0; n < count; n += openedAtOnce) {
    const more = keys.slice(n, n + openedAtOnce).map((key) => follow(server.port, key, delays))
    opened.push(...(await Promise.all(more)))
  }
  const memory = server.memory()
  const used = cpuSeconds([server.pid]) ?? Number.NaN
  const started = performance.now()
  const events = rate * seconds
  const written: Array<Promise<unknown>> = []
  for (let n = 0; n < events; n++) {
    const { id } = accounts[n % accounts.length] ?? { id: "" }
    const client = clients[n % writers]
    const at = String(performance.timeOrigin + performance.now())
    written[n % writers] = Promise.resolve(written[n % writers])
      .then(() => client?.query(insert, [[id], at]))
      .then(() => client?.query("NOTIFY events"))
    await pause(Math.max(0, started + ((n + 1) * 1000) / rate - performance.now()))
  }
  await Promise.all(written)
  const took = (performance.now() - started) / 1000
  const deadline = performance.now() + 30_000
  while (delays.length < events * perKey && performance.now() < deadline) await pause(50)
  const cpu = ((cpuSeconds([server.pid]) ?? Number.NaN) - used) / took
  const last = server.memory()
  for (const response of opened) response.destroy()
  for (const client of clients) await client.end()
  await server.stop()
  if (delays.length !== events * perKey) throw new Error(`${delays.length} of ${events * perKey} messages arrived`)
  const each = ((memory - before) * 1024) / count
  const delay = median(delays)
  const work = `${count.toLocaleString("en")} streams, ${Math.round(events / took)} events/s`
  return [
    judged(
      `${work}: delay`,
      { market: `median ${delay.toFixed(1)} ms, p99 ${p99(delays).toFixed(1)} ms, all ${delays.length} messages` },
      { row: 18, value: delay, unit: "ms", below: most }
    ),
    judged(
      `${work}: memory of each`,
      {
        market:
          `${each.toFixed(1)} kB; ${memory.toFixed(0)} MB, ${last.toFixed(0)} MB at the end, ${before.toFixed(0)} MB without streams; ` +
          `${(cpu * 100).toFixed(0)} % of a core`
      },
      { row: 18, value: each, unit: "kB", below: mostMemory }
    )
  ]
}
