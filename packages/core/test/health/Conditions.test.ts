import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import { MarketClock } from "../../src/clock/MarketClock.ts"
import type { StoreUnavailable } from "../../src/errors/MarketError.ts"
import type { Condition } from "../../src/health/Condition.ts"
import { boundedDetail, conditionKinds } from "../../src/health/Condition.ts"
import { Conditions } from "../../src/health/Conditions.ts"
import { ConditionStore } from "../../src/health/ConditionStore.ts"
import { Text } from "../../src/text/Text.ts"

/** A store with one row for each kind that counts what is written. */
const countingStore = () => {
  const rows = new Map<string, Condition>()
  const writes: Array<string> = []
  const write = <A>(what: string, change: () => A) =>
    Effect.sync(() => {
      writes.push(what)
      return change()
    })
  const layer = Layer.succeed(ConditionStore, {
    open: Effect.sync(() => [...rows.values()]),
    list: () => Effect.succeed({ items: [], total: 0 }),
    raise: ({ at, detail, kind }) =>
      write(`raise ${kind}: ${detail}`, () => {
        const known = rows.get(kind)
        rows.set(kind, { kind, detail, since: known?.since ?? at, endedAt: null })
        return known === undefined ? "raised" : "changed"
      }),
    clear: (kind) => write(`clear ${kind}`, () => rows.delete(kind))
  })
  return { layer, writes }
}

const inMarket = (
  body: (lines: Array<string>, writes: Array<string>) => Effect.Effect<void, StoreUnavailable, Conditions>
) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const { layer, writes } = countingStore()
    const clock = Layer.succeed(MarketClock, {
      now: Effect.succeed(1000),
      lastKnown: Effect.succeed(1000),
      advance: () => Effect.succeed(1000)
    })
    const log = Logger.layer([
      Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))
    ])
    const registry = Layer.sync(Metric.MetricRegistry, () => new Map())
    return body(lines, writes).pipe(
      Effect.provide(
        Conditions.layer.pipe(Layer.provide([layer, clock]), Layer.provideMerge(Layer.merge(log, registry)))
      )
    )
  })

/** The value of `market_condition` for each kind that holds. */
const held = Effect.map(Metric.snapshot, (all) =>
  all.flatMap(({ attributes, id, state }) =>
    id === "market_condition" && (state as { readonly value: number }).value === 1 ? [attributes?.["kind"]] : []
  )
)

describe("conditions that degrade the service (SYSTEM-9)", () => {
  it.effect("write nothing while nothing changes, however often they are found", () =>
    inMarket((_, writes) =>
      Effect.gen(function* () {
        const { clear, raise, set } = yield* Conditions
        for (let run = 0; run < 100; run++) {
          yield* raise("nodes_disagree", "a: block 7, b: block 8")
          yield* clear("quorum_missing")
          yield* set("energy_low", false)
          yield* TestClock.adjust("700 millis")
        }
        yield* raise("nodes_disagree", "a: block 7, b: block 9")
        yield* clear("nodes_disagree")
        yield* clear("nodes_disagree")
        assert.deepStrictEqual(writes, [
          "raise nodes_disagree: a: block 7, b: block 8",
          "raise nodes_disagree: a: block 7, b: block 9",
          "clear nodes_disagree"
        ])
      })
    )
  )

  it.effect("log one line at their start and one at their end, and none for a changed detail", () =>
    inMarket((lines) =>
      Effect.gen(function* () {
        const { clear, raise } = yield* Conditions
        yield* raise("payouts_paused", "The wallet is moved.")
        yield* raise("payouts_paused", "The wallet is still moved.")
        yield* clear("payouts_paused")
        assert.deepStrictEqual(lines, [
          "Warn degraded: The operator has paused all payouts.",
          "Info recovered: The operator has paused all payouts."
        ])
      })
    )
  )

  it.effect("are 1 in the metrics of every process while they hold", () =>
    inMarket(() =>
      Effect.gen(function* () {
        const { clear, raise } = yield* Conditions
        yield* raise("signer_unavailable")
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(yield* held, ["signer_unavailable"])
        yield* clear("signer_unavailable")
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(yield* held, [])
      })
    )
  )

  it("each one is set by some part of the market", () => {
    const folder = new URL("../../src", import.meta.url).pathname
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && name !== join("health", "Condition.ts"))
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\n")
    const unused = conditionKinds.filter((kind) => !sources.includes(`"${kind}"`))
    // Screening sets these two.
    assert.includeMembers(["screening_unavailable", "deposits_held"], unused)
  })

  it("a detail has at most 1,000 characters", () => {
    assert.strictEqual(boundedDetail("x".repeat(1000)), "x".repeat(1000))
    const cut = boundedDetail("🔑".repeat(2000)) ?? ""
    assert.strictEqual(Text.codePoints(cut), 1000)
    assert.match(cut, /🔑…$/u)
  })
})
