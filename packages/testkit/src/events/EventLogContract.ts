import type { LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Fiber, Stream, Tracer } from "effect"
import { eventually } from "../fixtures/eventually.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import { inRecordedSpan } from "../fixtures/recordedSpans.ts"
import { onlyEvent, subjectEvents } from "../fixtures/subjectEvents.ts"
import { Commands } from "../fixtures/Commands.ts"
import { fund, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"
import { readerCases } from "./readerCases.ts"

/** Everything after the cursor, read in pages of `limit`. */
const readAll = Effect.fnUntraced(function* (after: string | undefined, limit: number) {
  const log = yield* EventLog
  const found: Array<LoggedEvent> = []
  let cursor = after
  for (;;) {
    const page = yield* log.read(cursor, limit)
    assert.isAtMost(page.length, limit)
    const last = page.at(-1)
    if (last === undefined) return found
    cursor = last.cursor
    found.push(...page)
  }
})

const readCases = (it: StoreIt): void => {
  it.effect("events are read in the order in which they were appended, each once, for every page size", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      const start = (yield* readAll(undefined, 500)).at(-1)?.cursor
      for (let n = 1; n <= 7; n++) yield* fund(account, usdt(n))
      const all = yield* readAll(start, 500)
      assert.deepStrictEqual(
        all.map(({ accounts, data, type }) => [type, accounts, data.amount]),
        [1, 2, 3, 4, 5, 6, 7].map((n) => ["deposit.confirmed", [account.id], `${n}.00`])
      )
      for (const limit of [1, 2, 3, 7]) assert.deepStrictEqual(yield* readAll(start, limit), all)
      for (const [i, { cursor }] of all.entries()) assert.deepStrictEqual(yield* readAll(cursor, 500), all.slice(i + 1))
      for (const { id } of all) assert.match(id, /^evt_/)
      assert.strictEqual(new Set(all.map(({ id }) => id)).size, all.length)
    })
  )

  it.effect("at the end of the log a read returns nothing until an event is appended", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const account = yield* openAccount()
      yield* fund(account, usdt(1))
      const end = (yield* readAll(undefined, 500)).at(-1)?.cursor
      assert.deepStrictEqual(yield* log.read(end, 10), [])
      yield* fund(account, usdt(2))
      assert.lengthOf(yield* log.read(end, 10), 1)
    })
  )

  it.effect("a reader that follows 120 concurrent writers skips no event and sees none twice (EVENT-14)", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const accounts = yield* Effect.forEach(Array.from({ length: 12 }), () => openAccount())
      const start = (yield* readAll(undefined, 500)).at(-1)?.cursor
      const seen: Array<LoggedEvent> = []
      let cursor = start
      const readOn = Effect.gen(function* () {
        const page = yield* log.read(cursor, 5)
        cursor = page.at(-1)?.cursor ?? cursor
        seen.push(...page)
        return page.length
      })
      const reader = yield* Effect.forkScoped(Effect.forever(Effect.andThen(readOn, Effect.yieldNow)))
      const commands = Array.from({ length: 10 }).flatMap(() =>
        accounts.map((account) => Commands.deposit(account, usdt(1)))
      )
      yield* Effect.forEach(commands, settle, { concurrency: "unbounded" })
      yield* eventually(
        "the reader has seen every event",
        Effect.sync(() => seen.length >= commands.length)
      )
      yield* Fiber.interrupt(reader)
      assert.deepStrictEqual(
        seen.map(({ subject }) => subject).toSorted(),
        commands.map(({ deposit }) => `${deposit.txid}:0`).toSorted()
      )
      assert.deepStrictEqual(yield* readAll(start, 500), seen, "every reader sees one order")
    })
  )
}

const traceCases = (it: StoreIt): void => {
  it.effect("an event has the trace context of the span that caused it, if that is recorded (SYSTEM-23)", () =>
    Effect.gen(function* () {
      const author = yield* openAccount()
      const { result: traced, traceId } = yield* inRecordedSpan(publishedSoul(author))
      const { result: listed, traceId: listing } = yield* inRecordedSpan(listingOnSale(author))
      const unsampled = yield* inRecordedSpan(
        Effect.withParentSpan(
          publishedSoul(author),
          Tracer.externalSpan({ traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false })
        )
      )
      const untraced = yield* Effect.withSpan(publishedSoul(author), "without an exporter")
      const contextOf = (subject: string) => Effect.map(onlyEvent(subject), ({ traceparent }) => traceparent)
      const of = (trace: string) => new RegExp(`^00-${trace}-[\\da-f]{16}-01$`)
      assert.match((yield* contextOf(traced.id)) ?? "", of(traceId))
      for (const { traceparent } of yield* subjectEvents(listed.id)) assert.match(traceparent ?? "", of(listing))
      assert.isUndefined(yield* contextOf(unsampled.result.id))
      assert.isUndefined(yield* contextOf(untraced.id))
    })
  )
}

const tickCases = (it: StoreIt): void => {
  it.effect("appending an event wakes every listener", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const account = yield* openAccount()
      let ticks = 0
      const count = Effect.sync(() => void (ticks += 1))
      yield* Effect.forkScoped(Stream.runForEach(log.appended, () => count))
      const woken = Effect.gen(function* () {
        const before = ticks
        yield* fund(account, usdt(1))
        yield* Effect.sleep("20 millis")
        return ticks > before
      })
      yield* eventually("a tick after an event", woken)
    })
  )
}

/** The contract of `EventLog`. */
export const eventLogContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: EventLog`, stores, (it) => {
    readCases(it)
    readerCases(it)
    traceCases(it)
    tickCases(it)
  })
