import { LoadBounds } from "@agent-marketplace/http/overload/LoadBounds"
import type { Place } from "@agent-marketplace/http/overload/makeAdmission"
import { assert, describe, it } from "vitest"
import { countOf, each, openAdmission } from "../fixtures/openAdmission.ts"

describe("what an overload is, and what it changes", () => {
  it("callers that send the next request after the response are all answered while they fit into the line (LOAD-4)", () => {
    const { admission, clock, enter, refused } = openAdmission()
    const serviceMillis = 100
    let places = Array.from({ length: 28 }, (_, n) => ({ caller: each(n), place: enter("money", each(n)), at: 0 }))
    let longest = 0
    for (; clock.now < 20_000; clock.now += serviceMillis) {
      admission.expire()
      const started = places.filter(({ place }) => place.state === "admitted")
      assert.strictEqual(started.length, 8)
      for (const { at, place } of started) {
        longest = Math.max(longest, clock.now - at)
        admission.leave(place)
      }
      const again = started.map(({ caller }) => ({ caller, place: enter("money", caller), at: clock.now }))
      places = [...places.filter(({ place }) => place.state !== "left"), ...again]
    }
    assert.deepStrictEqual(refused, [])
    assert.isAtMost(longest, 4 * serviceMillis)
  })

  it("a request waits at most as long as a burst may last (LOAD-4)", () => {
    const { admission, bounds, clock, enter, many } = openAdmission()
    many(8, "read", each)
    const early = enter("read", "early")
    clock.now = bounds.burstMillis
    admission.expire()
    assert.strictEqual(early.state, "waiting")
    clock.now += 1
    admission.expire()
    assert.strictEqual(early.state, "refused")
  })

  it("after the line was full the wait is short, and reads do not wait (LOAD-4)", () => {
    const { admission, bounds, clock, enter, many } = openAdmission()
    many(8, "money", each)
    const places = many(21, "money", (n) => `waits ${n}`)
    assert.strictEqual(places.at(-1)?.state, "refused")
    clock.now = bounds.overloadMillis + 1
    assert.isTrue(admission.refusesRead())
    admission.expire()
    assert.strictEqual(countOf(places, "waiting"), 0)
    clock.now = bounds.excessMillis
    assert.strictEqual(enter("money", "later").state, "waiting")
    clock.now += bounds.overloadMillis + 1
    admission.expire()
    assert.strictEqual(admission.state().waiting, 1)
  })

  it("in an overload the wait is short from the start, and reads do not wait (LOAD-4)", () => {
    const { admission, bounds, clock, enter, many } = openAdmission()
    many(8, "money", each)
    const first = enter("money", "first")
    for (; clock.now < bounds.burstExcessMillis + 2 * bounds.windowMillis; clock.now += 50)
      enter("money", `account ${clock.now}`)
    assert.isTrue(admission.refusesRead())
    admission.expire()
    assert.strictEqual(first.state, "refused")
  })

  it("a process with few requests is not overloaded: requests beyond a caller's share wait even while none ends (LOAD-1, LOAD-4)", () => {
    const { admission, bounds, clock, enter, many } = openAdmission({
      neverOverloaded: 64,
      floor: 64,
      ceiling: 64,
      waiting: 128
    })
    const first = enter("read", "seller")
    clock.utilization = 1
    for (; clock.now < 500; clock.now += 100) admission.leave(enter("control", "operator"))
    assert.isBelow(admission.state().share, 20)
    const held = many(20, "read", () => "seller").filter(({ state }) => state === "waiting")
    assert.isNotEmpty(held)
    const since = clock.now
    for (; clock.now < since + 1000; clock.now += 100) {
      enter("control", `operator ${clock.now}`)
      admission.expire()
    }
    assert.strictEqual(countOf(held, "waiting"), held.length)
    for (; clock.now < since + bounds.burstMillis; clock.now += 100) admission.expire()
    const late = enter("read", "seller")
    for (; clock.now < since + bounds.burstMillis + 1000; clock.now += 100) admission.expire()
    assert.deepStrictEqual([countOf(held, "refused"), late.state], [held.length, "waiting"])
    admission.leave(first)
  })

  it("an overload is detected while the callers of its requests are still looked up (LOAD-4)", () => {
    const { admission, bounds, clock } = openAdmission()
    const arriveAll = (count: number) => {
      for (let n = 0; n < count; n++) admission.arrive()
    }
    arriveAll(bounds.neverOverloaded)
    for (; clock.now < 1500; clock.now += 50) arriveAll(1)
    assert.isTrue(admission.refusesRead())
  })

  it("refused reads that wait for their response take no room (LOAD-4)", () => {
    const { admission, bounds, clock } = openAdmission()
    for (let n = 0; n <= bounds.floor; n++) admission.arrive()
    for (; clock.now < 1500; clock.now += 50) admission.arrive()
    for (let n = 0; n < 20; n++) {
      admission.arrive()
      assert.isTrue(admission.shouldRefuseRead())
      admission.startRefusal()
    }
    for (let n = 0; n <= bounds.floor + 30; n++) admission.depart(true)
    assert.isFalse(admission.refusesRead())
  })

  it("clients that retry as soon as they are refused do not prolong an overload (LOAD-4)", () => {
    const { admission, bounds, clock, enter } = openAdmission({ waiting: 50 })
    const serviceMillis = 20
    const flood = () => {
      for (let n = 0; n < 10; n++) admission.arrive()
    }
    let refusals = 0
    const send = () => {
      admission.arrive()
      if (!admission.shouldRefuseRead()) {
        admission.depart(true)
        return { until: Infinity, place: enter("read", each(refusals)) }
      }
      refusals += 1
      return { until: clock.now + admission.startRefusal(), place: undefined }
    }
    let clients = Array.from({ length: 2 * bounds.neverOverloaded }, send)
    const step = () => {
      clock.now += 10
      admission.expire()
      clients = clients.map((client) => {
        const { place, until } = client
        if (place === undefined) {
          if (clock.now < until) return client
          admission.endRefusal()
          admission.depart(false)
          return send()
        }
        if (place.state === "waiting" || (place.state === "admitted" && clock.now < place.since + serviceMillis))
          return client
        admission.leave(place)
        return send()
      })
    }
    for (; clock.now < 1000; step()) flood()
    assert.isAbove(refusals, 0)
    for (let n = 0; n < 1000; n++) admission.depart(false)
    while (clock.now < 3000) step()
    const earlier = refusals
    while (clock.now < 5000) step()
    assert.strictEqual(refusals, earlier)
  })

  it("500 purchases of 10 callers within 0.7 seconds are no overload (LOAD-4)", () => {
    const { admission, clock, enter, refused } = openAdmission(LoadBounds.defaultValue())
    const places: Array<Place> = []
    for (; clock.now < 8000; clock.now += 10) {
      while (places.length < 500 && places.length * 1.4 <= clock.now)
        places.push(enter("money", each(places.length % 10)))
      admission.expire()
      for (const [n, place] of places.entries())
        if (place.state === "admitted" && clock.now >= place.since + 300 + 10 * (n % 30)) admission.leave(place)
    }
    assert.deepStrictEqual([countOf(places, "left"), refused.length], [500, 0])
  })

  it("a pause of the database for a second is no overload (LOAD-4)", () => {
    const { admission, clock, enter, refused } = openAdmission(LoadBounds.defaultValue())
    const places: Array<Place> = []
    for (; clock.now < 3000; clock.now += 5) {
      if (clock.now < 1000) {
        places.push(enter("read", each(places.length)))
        assert.isFalse(admission.shouldRefuseRead())
      }
      admission.expire()
      if (clock.now >= 1000) for (const place of places) if (place.state === "admitted") admission.leave(place)
    }
    assert.deepStrictEqual([countOf(places, "left"), refused.length], [200, 0])
  })

  /** How many purchases of many callers are refused if they arrive and are answered at these rates, in requests per 5 ms. */
  const refusedAtRates = (phases: ReadonlyArray<{ millis: number; arrivals: number; answers: number }>): number => {
    const { admission, clock, enter, refused } = openAdmission(LoadBounds.defaultValue())
    const places = new Set<Place>()
    let count = 0
    for (const { answers, arrivals, millis } of phases)
      for (const end = clock.now + millis; clock.now < end; clock.now += 5) {
        for (let n = 0; n < arrivals; n++) places.add(enter("money", each(count++)))
        admission.expire()
        for (const place of [...places].filter(({ state }) => state === "admitted").slice(0, answers)) {
          admission.leave(place)
          places.delete(place)
        }
      }
    return refused.length
  }

  it("answers that are slow for 0.4 seconds, while no more requests arrive than before, are no overload (LOAD-4)", () => {
    const usual = { millis: 2000, arrivals: 7, answers: 14 }
    assert.strictEqual(refusedAtRates([usual, { millis: 400, arrivals: 7, answers: 1 }, usual]), 0)
  })

  it("answers that stay slow are an overload after 1.2 seconds (LOAD-4)", () => {
    const usual = { millis: 2000, arrivals: 7, answers: 14 }
    assert.isAbove(refusedAtRates([usual, { millis: 1200, arrivals: 7, answers: 1 }]), 0)
  })

  it("twice as many purchases as can be answered are refused after 0.4 seconds, whatever the load before (LOAD-4)", () => {
    for (const arrivals of [0, 7, 14]) {
      const usual = { millis: 2000, arrivals, answers: 14 }
      assert.strictEqual(refusedAtRates([usual, { millis: 150, arrivals: 28, answers: 14 }]), 0)
      assert.isAbove(refusedAtRates([usual, { millis: 400, arrivals: 28, answers: 14 }]), 0)
    }
  })

  it("a burst that no longer arrives may wait (LOAD-4)", () => {
    const { admission, clock, many } = openAdmission()
    const places = many(20, "read", each)
    for (; clock.now < 2000; clock.now += 50) admission.expire()
    assert.strictEqual(countOf(places, "waiting"), 12)
    assert.isFalse(admission.refusesRead())
  })
})
