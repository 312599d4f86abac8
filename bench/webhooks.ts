/**
 * Deliveries per second from a backlog, beside a bare loop over `fetch` with the same concurrency, to the same receivers, in the same
 * run: `node bench/webhooks.ts [deliveries] [receivers]`. Signing, claims, attempts in the log and every commit count on our side.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { fanOut } from "@agent-marketplace/core/webhooks/DeliveryRules"
import { DeliverySend } from "@agent-marketplace/core/webhooks/DeliverySend"
import { ReceiverHealth } from "@agent-marketplace/core/webhooks/ReceiverHealth"
import { SecretBox } from "@agent-marketplace/core/webhooks/SecretBox"
import { SendLimits } from "@agent-marketplace/core/webhooks/SendLimits"
import { WebhookSender } from "@agent-marketplace/core/webhooks/WebhookSender"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { openSharedCluster } from "@agent-marketplace/embedded-postgres/SharedCluster"
import { NodeWebhookTransport } from "@agent-marketplace/http/webhooks/NodeWebhookTransport"
import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { Client } from "pg"

const deliveries = Number(process.argv[2] ?? 50_000)
const receivers = Number(process.argv[3] ?? 10)
const account = "usr_bench"

const insertEvents = `
  INSERT INTO events (type, at, subject, accounts, data)
  SELECT 'deposit.confirmed', market_now(), 'tx:' || n, ARRAY['${account}'],
    json_build_object('txHash', md5(n::text), 'address', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'amount', '12.50', 'currency', 'USDT')
  FROM generate_series(1, ${Math.ceil(deliveries / receivers)}) AS n`

const subscribe = (ports: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const clock = yield* MarketClock
    const box = yield* SecretBox
    const store = yield* WebhookStore
    for (const [n, port] of ports.entries()) {
      const id = `whk_${String(n).padStart(4, "0")}` as never
      yield* store.create({
        id,
        accountId: account as never,
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

const fetchLoop = async (ports: ReadonlyArray<number>, concurrency: number, count: number) => {
  const body = JSON.stringify({ event: "deposit.confirmed", data: "x".repeat(330) })
  let sent = 0
  const began = performance.now()
  const loop = async (n: number) => {
    while (sent < count) {
      sent += 1
      const answer = await fetch(`http://127.0.0.1:${ports[n % ports.length]}/hook`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body
      })
      await answer.text()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, n) => loop(n)))
  return count / ((performance.now() - began) / 1000)
}

const drain = (database: Client) =>
  Effect.gen(function* () {
    const sender = yield* WebhookSender
    const store = yield* WebhookStore
    yield* Effect.promise(() => database.query(insertEvents))
    const fanning = performance.now()
    while ((yield* store.dispatch(256, fanOut)) > 0);
    const fannedOut = deliveries / ((performance.now() - fanning) / 1000)
    yield* Effect.promise(() => database.query("ANALYZE"))
    const began = performance.now()
    const worker = yield* Effect.forkChild(sender.run)
    const left = Effect.promise(async () => {
      const { rows } = await database.query<{ left: number }>("SELECT count(*)::int AS left FROM webhook_queue")
      return rows[0]?.left ?? 0
    })
    while ((yield* left) > 0) yield* Effect.sleep("100 millis")
    const sent = deliveries / ((performance.now() - began) / 1000)
    yield* Fiber.interrupt(worker)
    return { fannedOut, sent }
  })

const folder = await mkdtemp(join(tmpdir(), "webhook-bench-"))
const child = fork(new URL("./receivers.ts", import.meta.url), [String(receivers)])
const [{ ports }] = (await once(child, "message")) as [{ ports: ReadonlyArray<number> }]
const cluster = await openSharedCluster(folder)
const database = new Client({ connectionString: cluster.url })
try {
  await database.connect()
  const layer = WebhookSender.layer.pipe(
    Layer.provideMerge(DeliverySend.layer),
    Layer.provideMerge(PostgresStores.layer({ url: Redacted.make(cluster.url) })),
    Layer.provide(NodeWebhookTransport.layer({ allowPrivate: true })),
    Layer.provideMerge(SecretBox.layer([Redacted.make("a key for the benchmark, 32 characters")])),
    Layer.provideMerge(NodeCrypto.layer)
  )
  const program = Effect.gen(function* () {
    const { sends, sendsPerWebhook } = yield* SendLimits
    const concurrency = Math.min(receivers * sendsPerWebhook, sends)
    yield* subscribe(ports)
    yield* Effect.promise(() => fetchLoop(ports, concurrency, 2000))
    const before = yield* Effect.promise(() => fetchLoop(ports, concurrency, deliveries))
    const ours = yield* drain(database)
    const after = yield* Effect.promise(() => fetchLoop(ports, concurrency, deliveries))
    return { concurrency, ...ours, before, after }
  })
  const { after, before, concurrency, fannedOut, sent } = await Effect.runPromise(Effect.provide(program, layer))
  const reference = (before + after) / 2
  console.log(`fan-out            ${fannedOut.toFixed(0)} deliveries/s`)
  console.log(
    `fetch, ${concurrency} at once  ${reference.toFixed(0)}/s (${before.toFixed(0)} before, ${after.toFixed(0)} after)`
  )
  console.log(`webhooks           ${sent.toFixed(0)}/s: ${((100 * sent) / reference).toFixed(0)} % of it`)
} finally {
  await database.end()
  child.disconnect()
  await cluster.release()
  await rm(folder, { recursive: true, force: true })
}
