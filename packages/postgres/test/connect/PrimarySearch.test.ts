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

/** A search to which a host answers at once. */
const searching = () => {
  const search = new PrimarySearch([a, b])
  const answer = (host: typeof a, timeline: number | null) => {
    now += 1
    return search.answered(host, { timeline, asked: momentNow() })
  }
  return { search, answer }
}

/** The primary is `a`, in its first timeline. */
const found = () => {
  const one = searching()
  one.answer(b, null)
  assert.strictEqual(one.answer(a, 1), "found")
  assert.isTrue(one.search.isCertain)
  return one
}

describe("PrimarySearch (DATABASE-3)", () => {
  it("uses the host with the highest timeline, once all hosts were asked", () => {
    const { answer, search } = searching()
    assert.isUndefined(answer(a, 1))
    assert.isFalse(search.isFound)
    assert.strictEqual(answer(b, 2), "found")
    assert.deepStrictEqual([search.host, search.timeline], [b, 2])
  })

  it("finds nothing while no host accepts writes", () => {
    const { answer, search } = searching()
    assert.isUndefined(answer(a, null))
    assert.strictEqual(answer(b, null), "none")
    assert.isUndefined(answer(a, null))
    assert.strictEqual(answer(b, 1), "found")
    assert.isTrue(search.isCertain)
  })

  it("uses a promoted host at once, although the former primary still accepts writes", () => {
    const { answer, search } = found()
    assert.strictEqual(answer(b, 2), "found")
    assert.isUndefined(answer(a, 1))
    assert.deepStrictEqual([search.host, search.isCertain], [b, true])
  })

  it("a lost primary is not used again after a promotion, only with the promoted host's timeline", () => {
    const { answer, search } = found()
    answer(b, 2)
    assert.strictEqual(answer(b, null), "lost")
    assert.isFalse(search.isCertain)
    assert.isUndefined(answer(a, 1))
    assert.strictEqual(answer(b, null), "none")
    answer(b, null)
    assert.strictEqual(answer(a, 2), "found")
  })

  it("a primary that stays one is confirmed by each answer, whatever the others do", () => {
    const { answer, search } = found()
    for (let second = 0; second < 5; second++) {
      now += lease - 10
      assert.isUndefined(answer(a, 1))
      assert.isTrue(search.isCertain)
    }
  })

  it("is not certain after a lease without an answer, until all hosts were asked again (DATABASE-6)", () => {
    const { answer, search } = found()
    now += lease + 1
    assert.isFalse(search.isCertain)
    assert.isUndefined(answer(a, 1))
    assert.isFalse(search.isCertain)
    assert.isUndefined(answer(a, 1))
    assert.strictEqual(answer(b, null), "confirmed")
    assert.isTrue(search.isCertain)
  })

  it("answers to questions from before a freeze do not confirm (DATABASE-6)", () => {
    const { answer, search } = found()
    const before = momentNow()
    now += 2 * lease
    assert.isTrue(search.startAgainIfLapsed())
    assert.isFalse(search.startAgainIfLapsed())
    for (const host of [a, b]) search.answered(host, { timeline: host === a ? 1 : null, asked: before })
    assert.isFalse(search.isCertain)
    assert.isTrue(search.isOutdated(a) && search.isOutdated(b))
    answer(a, 1)
    assert.strictEqual(answer(b, 2), "found")
    assert.deepStrictEqual([search.host, search.isCertain], [b, true])
  })

  it("once it was not certain, it is certain only of a primary that is at least as new as the newest at that time (DATABASE-6)", () => {
    const hosts = [a, b, { host: "c", port: 3 }]
    const [host, milliseconds] = [fc.nat(2), fc.integer({ min: 1, max: 2 * lease })]
    const event = fc.oneof(
      { weight: 8, arbitrary: fc.record({ what: fc.constantFrom("ask", "answer"), host }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant("promote"), host }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant("wait"), milliseconds }) }
    )
    let certain = 0
    fc.assert(
      fc.property(fc.array(event, { minLength: 10, maxLength: 80 }), (events) => {
        const search = new PrimarySearch(hosts)
        // A host that was promoted accepts writes forever, as one does that nobody stops.
        const timelines: Array<number | null> = [1, null, null]
        const questions = new Map<number, Answer>()
        let [newest, required] = [1, 1]
        for (const each of events) {
          now += 1
          const wasCertain = search.isCertain
          if ("milliseconds" in each) now += each.milliseconds
          else if (each.what === "promote") timelines[each.host] = newest += 1
          else if (each.what === "ask")
            questions.set(each.host, { timeline: timelines[each.host] ?? null, asked: momentNow() })
          else {
            const question = questions.get(each.host)
            questions.delete(each.host)
            if (question !== undefined) search.answered(hosts[each.host] ?? a, question)
          }
          search.startAgainIfLapsed()
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
