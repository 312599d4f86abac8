import * as fc from "fast-check"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import type { Answer } from "../../src/connect/PrimarySearch.ts"
import { PrimarySearch } from "../../src/connect/PrimarySearch.ts"
import { lease, momentNow } from "../../src/Lease.ts"

const [a, b] = [
  { host: "a", port: 1 },
  { host: "b", port: 2 }
]

let now = 0

beforeEach(() => {
  now = 60_000
  vi.spyOn(performance, "now").mockImplementation(() => now)
  vi.spyOn(Date, "now").mockImplementation(() => 1_800_000_000_000 + now)
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** A search, and a function that records an answer. */
const newSearch = () => {
  const search = new PrimarySearch([a, b])
  const answer = (host: typeof a, timeline: number | null) => {
    now += 1
    return search.answered(host, { timeline, queriedAt: momentNow() })
  }
  return { search, answer }
}

/** The primary is `a`, in its first timeline. */
const searchWithPrimary = () => {
  const one = newSearch()
  one.answer(b, null)
  assert.strictEqual(one.answer(a, 1), "found")
  assert.isTrue(one.search.isCertain)
  return one
}

describe("PrimarySearch (DATABASE-3)", () => {
  it("uses the host with the highest timeline, once all hosts have answered", () => {
    const { answer, search } = newSearch()
    assert.isUndefined(answer(a, 1))
    assert.isFalse(search.isFound)
    assert.strictEqual(answer(b, 2), "found")
    assert.deepStrictEqual([search.host, search.timeline], [b, 2])
  })

  it("finds nothing while no host accepts writes", () => {
    const { answer, search } = newSearch()
    assert.isUndefined(answer(a, null))
    assert.strictEqual(answer(b, null), "none")
    assert.isUndefined(answer(a, null))
    assert.strictEqual(answer(b, 1), "found")
    assert.isTrue(search.isCertain)
  })

  it("uses a promoted host at once, although the former primary still accepts writes", () => {
    const { answer, search } = searchWithPrimary()
    assert.strictEqual(answer(b, 2), "found")
    assert.isUndefined(answer(a, 1))
    assert.deepStrictEqual([search.host, search.isCertain], [b, true])
  })

  it("uses a former primary again only after it has followed the promotion", () => {
    const { answer, search } = searchWithPrimary()
    answer(b, 2)
    assert.strictEqual(answer(b, null), "lost")
    assert.isFalse(search.isCertain)
    assert.isUndefined(answer(a, 1))
    assert.strictEqual(answer(b, null), "none")
    answer(b, null)
    assert.strictEqual(answer(a, 2), "found")
  })

  it("each answer of the primary keeps it certain, even if the others do not answer", () => {
    const { answer, search } = searchWithPrimary()
    for (let second = 0; second < 5; second++) {
      now += lease - 10
      assert.isUndefined(answer(a, 1))
      assert.isTrue(search.isCertain)
    }
  })

  it("is not certain after a lease without an answer, until all hosts have answered again (DATABASE-6)", () => {
    const { answer, search } = searchWithPrimary()
    now += lease + 1
    assert.isFalse(search.isCertain)
    assert.isUndefined(answer(a, 1))
    assert.isFalse(search.isCertain)
    assert.isUndefined(answer(a, 1))
    assert.strictEqual(answer(b, null), "confirmed")
    assert.isTrue(search.isCertain)
  })

  it("ignores answers to queries that were sent before a freeze (DATABASE-6)", () => {
    const { answer, search } = searchWithPrimary()
    const before = momentNow()
    now += 2 * lease
    assert.isTrue(search.restartIfLapsed())
    assert.isFalse(search.restartIfLapsed())
    for (const host of [a, b]) search.answered(host, { timeline: host === a ? 1 : null, queriedAt: before })
    assert.isFalse(search.isCertain)
    assert.isTrue(search.needsAnswer(a) && search.needsAnswer(b))
    answer(a, 1)
    assert.strictEqual(answer(b, 2), "found")
    assert.deepStrictEqual([search.host, search.isCertain], [b, true])
  })

  it("after a lapse, is certain only of a primary at least as new as the newest at that time (DATABASE-6)", () => {
    const hosts = [a, b, { host: "c", port: 3 }]
    const [host, milliseconds] = [fc.nat(2), fc.integer({ min: 1, max: 2 * lease })]
    const event = fc.oneof(
      { weight: 8, arbitrary: fc.record({ what: fc.constantFrom("query", "answer"), host }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant("promote"), host }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant("wait"), milliseconds }) }
    )
    let certain = 0
    fc.assert(
      fc.property(fc.array(event, { minLength: 10, maxLength: 80 }), (events) => {
        const search = new PrimarySearch(hosts)
        // A promoted host accepts writes until the end, like a former primary that is not fenced.
        const timelines: Array<number | null> = [1, null, null]
        const queries = new Map<number, Answer>()
        let [newest, required] = [1, 1]
        for (const each of events) {
          now += 1
          const wasCertain = search.isCertain
          if ("milliseconds" in each) now += each.milliseconds
          else if (each.what === "promote") timelines[each.host] = newest += 1
          else if (each.what === "query")
            queries.set(each.host, { timeline: timelines[each.host] ?? null, queriedAt: momentNow() })
          else {
            const query = queries.get(each.host)
            queries.delete(each.host)
            if (query !== undefined) search.answered(hosts[each.host] ?? a, query)
          }
          search.restartIfLapsed()
          const wasFrozen = "milliseconds" in each && each.milliseconds > lease
          if (wasFrozen || (wasCertain && !search.isCertain)) required = newest
          if (!search.isCertain) continue
          certain += 1
          assert.isAtLeast(search.timeline, required)
        }
      }),
      { numRuns: 2000 }
    )
    assert.isAbove(certain, 1000)
  })
})
