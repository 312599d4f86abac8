/** Measures deliveries per second from a backlog, and compares them with a plain loop over `fetch` with the same concurrency and receivers. Both run in turns. */
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { fanOut } from "@agent-marketplace/core/webhooks/DeliveryRules"
import { DeliverySend } from "@agent-marketplace/core/webhooks/DeliverySend"
import { ReceiverHealth } from "@agent-marketplace/core/webhooks/ReceiverHealth"
import { SecretBox } from "@agent-marketplace/core/webhooks/SecretBox"
import { SendLimits } from "@agent-marketplace/core/webhooks/SendLimits"
import { WebhookSender } from "@agent-marketplace/core/webhooks/WebhookSender"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { NodeMac } from "@agent-marketplace/delivery/NodeMac"
import { NodeWebhookTransport } from "@agent-marketplace/delivery/NodeWebhookTransport"
import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { Client } from "pg"
import { cpuSeconds } from "./cpu.ts"
import type { Line } from "./report.ts"
import { judged, times } from "./report.ts"

const receivers = 10
const account = "usr_bench"

/** The required rate, as a fraction of the plain loop. */
const least = 0.7

const appendEvents = (client: Client, count: number) =>
  client.query(
    `INSERT INTO events (type, at, subject, accounts, data)
     SELECT 'deposit.confirmed', market_now(), 'tx:' || n, ARRAY[$1::text], json_build_object('txHash', md5(n::text),
       'address', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'amount', '12.50', 'currency', 'USDT')
     FROM generate_series(1, $2::int) AS n`,
    [account, count]
  )

const subscribe = Effect.fnUntraced(function* (ports: ReadonlyArray<number>) {
  const clock = yield* MarketClock
  const box = yield* SecretBox
  const store = yield* WebhookStore
  for (const port of ports) {
    const id = `whk_${port}` as never
    yield* store.create({
      id,
      accountId: account as never,
      agentId: null,
      url: `http://127.0.0.1:${port}/hook`,
      events: ["*"],
      status: "active",
      secret: yield* box.seal(Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), id),
      previous: null,
      health: ReceiverHealth.healthy,
      createdAt: yield* clock.now
    })
  }
})

interface Measured {
  readonly perSecond: number
  /** Processor time for each delivery in microseconds, of this process, PostgreSQL and the receivers; undefined if it cannot be measured. */
  readonly cpu: number | undefined
}

/** The time of a number of deliveries. `pids` are processes whose time is included in addition to the children of this one. */
const measured = async (count: number, databasePid: number, work: () => Promise<unknown>): Promise<Measured> => {
  const used = () => cpuSeconds([process.pid, databasePid]) ?? Number.NaN
  const [began, before] = [performance.now(), used()]
  await work()
  const cpu = ((used() - before) / count) * 1e6
  return { perSecond: count / ((performance.now() - began) / 1000), cpu: Number.isNaN(cpu) ? undefined : cpu }
}

/** The reference: it does not sign, claim or store anything. */
const fetchLoop = async (ports: ReadonlyArray<number>, concurrency: number, count: number): Promise<void> => {
  const body = JSON.stringify({ event: "deposit.confirmed", data: "x".repeat(330) })
  const headers = { "content-type": "application/json" }
  let sent = 0
  const loop = async (n: number) => {
    while (sent < count) {
      sent += 1
      const url = `http://127.0.0.1:${ports[n % ports.length]}/hook`
      await (await fetch(url, { method: "POST", headers, body })).text()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, n) => loop(n)))
}

/** Sends due deliveries until the queue is empty: signed, with each attempt in the log and every commit on disk. */
const drain = Effect.fnUntraced(function* (client: Client) {
  const sender = yield* WebhookSender
  const worker = yield* Effect.forkChild(sender.run)
  const left = Effect.promise(async () => {
    const { rows } = await client.query<{ left: number }>("SELECT count(*)::int AS left FROM webhook_queue")
    return rows[0]?.left ?? 0
  })
  while ((yield* left) > 0) yield* Effect.sleep("50 millis")
  yield* Fiber.interrupt(worker)
})

const fanOutAll = Effect.gen(function* () {
  const store = yield* WebhookStore
  while ((yield* store.dispatch(256, fanOut)) > 0);
})

interface Run {
  readonly client: Client
  readonly ports: ReadonlyArray<number>
  readonly deliveries: number
  readonly databasePid: number
}

const measure = Effect.fnUntraced(function* ({ client, databasePid, deliveries, ports }: Run) {
  const { sends, sendsPerWebhook } = yield* SendLimits
  const services = yield* Effect.context<WebhookSender | WebhookStore>()
  const run = (work: Effect.Effect<void, StoreUnavailable, WebhookSender | WebhookStore>) =>
    measured(deliveries, databasePid, () => Effect.runPromiseWith(services)(work))
  const concurrency = Math.min(receivers * sendsPerWebhook, sends)
  const loop = (count: number) => measured(count, databasePid, () => fetchLoop(ports, concurrency, count))
  yield* subscribe(ports)
  return yield* Effect.promise(async () => {
    await appendEvents(client, deliveries / receivers)
    const fannedOut = await run(fanOutAll)
    await client.query("VACUUM ANALYZE")
    await loop(2000)
    const before = await loop(deliveries / 2)
    const sent = await run(drain(client))
    const after = await loop(deliveries / 2)
    const reference = {
      perSecond: (before.perSecond + after.perSecond) / 2,
      cpu: before.cpu === undefined || after.cpu === undefined ? undefined : (before.cpu + after.cpu) / 2
    }
    return { fannedOut, sent, reference, concurrency }
  })
})

const layerOn = (url: string) =>
  WebhookSender.layer.pipe(
    Layer.provideMerge(DeliverySend.layer),
    Layer.provideMerge(PostgresStores.layer({ url: Redacted.make(url) })),
    Layer.provide(NodeWebhookTransport.layer({ access: "any" })),
    Layer.provideMerge(SecretBox.layer([Redacted.make("a key for the benchmark, 32 characters")])),
    Layer.provideMerge(Layer.merge(NodeCrypto.layer, NodeMac.layer))
  )

const figures = ({ cpu, perSecond }: Measured) =>
  `${Math.round(perSecond).toLocaleString("en")}/s${cpu === undefined ? "" : `  cpu ${cpu.toFixed(0)} µs`}`

/** Requires an empty database; `deliveries` is a multiple of twenty. */
export const webhooks = async (
  databaseUrl: string,
  databasePid: number,
  deliveries: number
): Promise<ReadonlyArray<Line>> => {
  const child = fork(fileURLToPath(new URL("./receivers.ts", import.meta.url)), [String(receivers)])
  const [{ ports }] = (await once(child, "message")) as [{ ports: ReadonlyArray<number> }]
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { concurrency, fannedOut, reference, sent } = await Effect.runPromise(
      Effect.provide(measure({ client, ports, deliveries, databasePid }), layerOn(databaseUrl))
    )
    const ratio = sent.perSecond / reference.perSecond
    return [
      judged(
        `webhooks, a backlog of ${deliveries.toLocaleString("en")}`,
        {
          market: figures(sent),
          reference: `${figures(reference)}  fetch, ${concurrency} at once`,
          ratio: times(ratio)
        },
        { row: 10, value: ratio, unit: "×", atLeast: least }
      ),
      { work: "webhooks, fan-out", market: figures(fannedOut), reference: "", ratio: "", target: "", met: undefined }
    ]
  } finally {
    await client.end()
    child.disconnect()
  }
}
