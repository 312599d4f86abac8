import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import {
  answers,
  dribbles,
  floods,
  hangs,
  resets,
  startReceiver
} from "@agent-marketplace/fixtures/webhooks/startReceiver"
import type { Behaviour, Receiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { joinMarket } from "./fixtures/Market.ts"
import type { LoggedDelivery, Member } from "./fixtures/Market.ts"
import { startServer, startWorker } from "./fixtures/processes.ts"
import { waitFor } from "./fixtures/waitFor.ts"

type Attempt = LoggedDelivery["attempts"][number]

interface Bad {
  readonly behaviour: Behaviour
  readonly tls?: boolean
  /** The first attempt in the log. */
  readonly logged: Partial<Attempt>
  readonly status: string
}

const bad: Readonly<Record<string, Bad>> = {
  "answers 500": {
    behaviour: answers(500, "oh no"),
    logged: { statusCode: 500, error: "HTTP 500", responseBody: "oh no" },
    status: "pending"
  },
  "resets the connection": {
    behaviour: resets,
    logged: { statusCode: null, error: "the connection was reset", responseBody: null },
    status: "pending"
  },
  redirects: {
    behaviour: answers(302, "", { location: "http://127.0.0.1:1/" }),
    logged: { statusCode: 302, error: "HTTP 302: redirects are not followed" },
    status: "pending"
  },
  "is gone (410)": { behaviour: answers(410), logged: { statusCode: 410, error: "HTTP 410" }, status: "failed" },
  "answers with 100 MB": {
    behaviour: floods(200, 100_000_000),
    logged: { statusCode: 200, error: null, responseBody: "x".repeat(2048) },
    status: "delivered"
  },
  "has a bad certificate": {
    behaviour: answers(200),
    tls: true,
    logged: { statusCode: null, error: "the certificate is not signed by a known authority", responseBody: null },
    status: "pending"
  },
  hangs: {
    behaviour: hangs,
    logged: { statusCode: null, error: "no response within 15 s", responseBody: null },
    status: "pending"
  },
  "answers byte by byte": {
    behaviour: dribbles("head"),
    logged: { statusCode: null, error: "no response within 15 s", responseBody: null },
    status: "pending"
  }
}

describe("receivers that misbehave (DELIVERY-6, DELIVERY-13)", () => {
  const ends: Array<() => unknown> = []
  let author: Member
  let healthy: Receiver
  const subscriptions = new Map<string, string>()

  /** The time from request to receiver for a number of events, in milliseconds. */
  const latencies = async (events: number): Promise<ReadonlyArray<number>> => {
    const measured: Array<number> = []
    for (let i = 0; i < events; i++) {
      const began = performance.now()
      const id = await author.createSoul()
      const got = await waitFor("the healthy receiver gets the event", () =>
        healthy.received.find(({ body }) => body.includes(id))
      )
      measured.push(got.at - began)
    }
    return measured
  }

  beforeAll(async () => {
    const DATABASE_URL = await createDatabase()
    const server = await startServer({ DATABASE_URL })
    const worker = await startWorker({ DATABASE_URL })
    ends.push(
      () => server.end("SIGTERM"),
      () => worker.end("SIGTERM")
    )
    author = await joinMarket(server.baseUrl, "Author")
    healthy = await startReceiver()
    ends.push(healthy.close)
    await author.subscribe(healthy.url)
  })
  afterAll(async () => {
    await Promise.all(ends.map((end) => end()))
  })

  it("delay healthy receivers by less than a second", async () => {
    const alone = Math.max(...(await latencies(10)))
    for (const [name, { behaviour, tls = false }] of Object.entries(bad)) {
      const receiver = await startReceiver(behaviour, { tls })
      ends.push(receiver.close)
      subscriptions.set(name, (await author.subscribe(receiver.url)).id)
    }
    const beside = Math.max(...(await latencies(60)))
    console.log(`slowest alone ${alone.toFixed(0)} ms, beside ${subscriptions.size} bad ones ${beside.toFixed(0)} ms`)
    assert.isBelow(beside, alone + 1000)
  })

  for (const [name, { logged, status }] of Object.entries(bad)) {
    it(`one that ${name} is logged as such, and its event is ${status}`, async () => {
      const first = await waitFor(
        "the first attempt is logged",
        async () => {
          const deliveries = await author.deliveries(subscriptions.get(name) ?? "")
          return deliveries.toReversed().find(({ attempts }) => attempts.length > 0)
        },
        30_000
      )
      assert.deepInclude(first.attempts[0], logged)
      assert.strictEqual(first.status, status)
      assert.strictEqual(first.nextAttemptAt === null, status !== "pending")
    })
  }

  it("a receiver that returns 410 is disabled, and later events wait for a recovery (WEBHOOK-12, WEBHOOK-14)", async () => {
    const id = subscriptions.get("is gone (410)") ?? ""
    const { status } = await author.request<{ status: string }>("GET", `/api/v1/webhooks/${id}`)
    assert.strictEqual(status, "disabled")
    const waiting = (await author.deliveries(id)).filter((each) => each.status === "pending")
    assert.isNotEmpty(waiting)
    for (const { nextAttemptAt } of waiting) assert.isNull(nextAttemptAt)
  })
})
