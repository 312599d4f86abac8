import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import type { Received } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { startReceiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { afterAll, assert, describe, it } from "vitest"
import { joinMarket } from "./fixtures/Market.ts"
import { startServer, startWorker } from "./fixtures/processes.ts"
import { waitFor } from "./fixtures/waitFor.ts"

interface ExportedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: { readonly stringValue?: string } }>
  readonly status: { readonly code: number }
}

/** The status of a span that failed, in the OpenTelemetry protocol. */
const failed = 2

interface TraceExport {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: Pick<ExportedSpan, "attributes">
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<ExportedSpan> }>
  }>
}

const attributeOf = ({ attributes }: Pick<ExportedSpan, "attributes">, key: string): string | undefined =>
  attributes.find((each) => each.key === key)?.value.stringValue

/** All spans that the collector has received, with the service that exported each. */
const spansOf = (received: ReadonlyArray<Received>) =>
  received
    .filter(({ path }) => path.endsWith("/v1/traces"))
    .flatMap(({ body }) => (JSON.parse(body) as TraceExport).resourceSpans)
    .flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((span) => ({ ...span, service: attributeOf(resource, "service.name") }))
      )
    )

const idOf = (n: number): string => n.toString(16).padStart(32, "a")

describe("one trace from a request over its settlement to the attempts of its webhooks (SYSTEM-23)", () => {
  const ends: Array<() => unknown> = []

  afterAll(async () => {
    await Promise.all(ends.map((end) => end()))
  })

  it("also in another process, after a replay, and for purchases that one transaction settles", async () => {
    const [DATABASE_URL, collector, receiver] = [await createDatabase(), await startReceiver(), await startReceiver()]
    const env = { DATABASE_URL, OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin }
    const server = await startServer(env)
    const worker = await startWorker(env)
    ends.push(
      () => server.end("SIGKILL"),
      () => worker.end("SIGKILL"),
      collector.close,
      receiver.close
    )
    const seller = await joinMarket(server.baseUrl, "Seller")
    const { id: webhook } = await seller.subscribe(receiver.url, ["purchase.completed"])
    const listings: Array<string> = []
    for (let n = 0; n < 8; n++)
      listings.push(
        (
          await seller.request<{ id: string }>("POST", "/v1/listings", {
            name: `Traced tool ${n}`,
            description: "Does one thing, and does it well.",
            price: 2,
            category: "development",
            installUrl: "https://example.com/install"
          })
        ).id
      )
    const buyer = await joinMarket(server.baseUrl, "Buyer")
    await buyer.fund(100)
    const buy = (n: number, flags: string) =>
      buyer.request<{ purchaseId: string; licenseKey: string }>(
        "POST",
        "/api/v1/purchases",
        { skillId: listings[n] },
        { traceparent: `00-${idOf(n)}-00f067aa0ba902b7-${flags}` }
      )
    const unsampled = 7
    const alone = await buy(0, "01")
    const together = await Promise.all(listings.slice(1).map((_, i) => buy(i + 1, i + 1 === unsampled ? "00" : "01")))
    const purchases = [alone, ...together]
    const arrived = (count: number) =>
      waitFor(`${count} deliveries`, async () => receiver.received.length >= count || undefined, 60_000)
    await arrived(listings.length)
    const deliveries = await seller.deliveries(webhook)
    await seller.request("POST", `/api/v1/webhooks/deliveries/${deliveries[0]?.id}/replay`)
    await arrived(listings.length + 1)
    assert.strictEqual(await worker.end("SIGTERM"), 0)
    assert.strictEqual(await server.end("SIGTERM"), 0)

    const spans = spansOf(collector.received)
    const attempts = spans.filter(({ name }) => name === "DeliverySend.attempt")
    assert.lengthOf(attempts, listings.length + 1)
    for (const n of listings.keys()) {
      const trace = spans.filter(({ traceId }) => traceId === idOf(n))
      if (n === unsampled) {
        assert.isEmpty(trace)
        continue
      }
      const own = trace.filter(({ name }) => name === "DeliverySend.attempt")
      assert.isNotEmpty(own, `${n}`)
      const callers = new Set(trace.filter(({ service }) => service?.endsWith("-server")).map(({ spanId }) => spanId))
      for (const { parentSpanId = "", service } of own) {
        assert.strictEqual(service, "agent-marketplace-worker")
        assert.isTrue(callers.has(parentSpanId), "the parent is a span of the request")
      }
      const settlements = spans.filter(
        ({ links, name, traceId }) =>
          name === "Settlement.settle" && (traceId === idOf(n) || links.some((link) => link.traceId === idOf(n)))
      )
      // A settlement that was late failed for its request, which was repeated; the database may have completed it.
      const late = settlements.filter(({ status }) => status.code === failed)
      assert.isNotEmpty(settlements)
      if (late.length === 0) assert.lengthOf(settlements, 1)
      else assert.isAtMost(settlements.length - late.length, 1)
    }
    assert.isTrue(spans.some(({ name, traceId }) => name === "Settlement.settle" && traceId === idOf(0)))
    // One of them was replayed.
    assert.lengthOf(
      attempts.filter((span) => attributeOf(span, "webhook.delivery") === deliveries[0]?.id),
      2
    )
    const foreign = attempts.filter(({ traceId }) => listings.every((_, n) => traceId !== idOf(n)))
    assert.isAtLeast(foreign.length, 1, "an attempt for the request that is not recorded")
    for (const { headers } of receiver.received) assert.notProperty(headers, "traceparent")
    for (const text of [receiver.url, ...purchases.map(({ licenseKey }) => licenseKey)])
      assert.notInclude(JSON.stringify(spans), text)
  })
})
