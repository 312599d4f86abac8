import { priorities } from "@agent-marketplace/api/access/LoadPriority"
import type { Priority } from "@agent-marketplace/api/access/LoadPriority"
import { LoadBounds } from "@agent-marketplace/http/overload/LoadBounds"
import type { LoadBoundsOf } from "@agent-marketplace/http/overload/LoadBounds"
import { makeAdmission } from "@agent-marketplace/http/overload/makeAdmission"
import type { Place } from "@agent-marketplace/http/overload/makeAdmission"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

/** An admission with a clock of its own, and with small bounds. */
const open = (some: Partial<LoadBoundsOf> = {}) => {
  const bounds = {
    ...LoadBounds.defaultValue(),
    neverOverloaded: 8,
    floor: 8,
    overloadFloor: 8,
    ceiling: 8,
    waiting: 20,
    leastShare: 2,
    leastMoneyShare: 4,
    ...some
  }
  const clock = { now: 0, utilization: 0.5 }
  const refused: Array<Priority> = []
  const own = makeAdmission({
    bounds,
    now: () => clock.now,
    utilization: () => clock.utilization,
    refused: (priority) => refused.push(priority)
  })
  /** A request arrives and enters. It departs when it is refused or leaves. */
  const enter = (priority: Priority, subject: string): Place => {
    own.arrive()
    const place = own.enter(priority, subject)
    if (place.state === "refused") own.depart(false)
    place.decided = (admitted) => {
      if (!admitted) own.depart(false)
    }
    return place
  }
  const leave = (place: Place): void => {
    if (place.state === "refused") return
    own.leave(place)
    own.depart(true)
  }
  /** Whether a read that arrives now is refused before its caller is known. */
  const refusesRead = (): boolean => {
    own.arrive()
    const refuses = own.shouldRefuseRead()
    own.depart(!refuses)
    return refuses
  }
  const admission = { ...own, leave, refusesRead }
  const many = (count: number, priority: Priority, subject: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => enter(priority, subject(n)))
  return { admission, bounds, clock, enter, many, refused }
}

const each = (n: number) => `account ${n}`
const noisy = () => "noisy"

const states = (places: ReadonlyArray<Place>) => places.map(({ state }) => state)

const countOf = (places: ReadonlyArray<Place>, state: Place["state"]) =>
  places.filter((place) => place.state === state).length

/** An admission that is busy for several callers, so that the share of one is the least. */
const openBusy = (limit: number) => {
  const busy = open({ neverOverloaded: 100, floor: limit, ceiling: limit, waiting: 200 })
  const { admission, clock, enter, many } = busy
  const flood = many(limit, "read", noisy)
  clock.utilization = 1
  for (let n = 1; n < 10; n++) {
    clock.now = n * 100
    admission.leave(enter("read", "other"))
  }
  for (const place of flood) admission.leave(place)
  assert.deepInclude(admission.state(), { share: 2, inProgress: 0, waiting: 0 })
  return busy
}

describe("admission of requests", () => {
  it("admits as many as the limit, and a waiting one for each that ends (LOAD-1)", () => {
    const { admission, many } = open()
    const places = many(10, "read", each)
    assert.deepStrictEqual([countOf(places, "admitted"), countOf(places, "waiting")], [8, 2])
    for (const place of places.slice(0, 2)) admission.leave(place)
    assert.deepStrictEqual([countOf(places, "admitted"), countOf(places, "waiting")], [8, 0])
  })

  it("control and money start where reads fill the limit, and control where money does (LOAD-2)", () => {
    const { many } = open()
    assert.strictEqual(countOf(many(9, "read", each), "waiting"), 1)
    assert.strictEqual(countOf(many(9, "money", each), "waiting"), 1)
    assert.strictEqual(countOf(many(9, "control", each), "waiting"), 1)
  })

  it("those who wait start by priority (LOAD-2)", () => {
    const { admission, many } = open()
    const running = many(8, "control", each)
    const [read, money, control] = [many(1, "read", each), many(1, "money", each), many(1, "control", each)].flat()
    const end = () => {
      for (const place of running.splice(0, 1)) admission.leave(place)
      return [control?.state, money?.state, read?.state]
    }
    assert.deepStrictEqual(end(), ["admitted", "waiting", "waiting"])
    assert.deepStrictEqual(end(), ["admitted", "admitted", "waiting"])
    assert.deepStrictEqual(end(), ["admitted", "admitted", "admitted"])
  })

  it("a full line refuses reads first: the oldest gives way to money and control (LOAD-2, LOAD-4)", () => {
    const { admission, enter, many, refused } = open()
    many(8, "control", each)
    const reads = many(20, "read", each)
    assert.isTrue(admission.refusesRead())
    assert.strictEqual(enter("read", "reader").state, "refused")
    assert.strictEqual(enter("money", "buyer").state, "waiting")
    assert.strictEqual(enter("control", "owner").state, "waiting")
    assert.deepStrictEqual(states(reads.slice(0, 3)), ["refused", "refused", "waiting"])
    assert.deepStrictEqual(refused, ["read", "read", "read"])
  })

  it("one caller has at most its share while the process is busy for several, and the others start at once (LOAD-3)", () => {
    const { admission, clock, enter, many } = open({ floor: 100, ceiling: 100, waiting: 200 })
    const flood = many(60, "read", noisy)
    assert.strictEqual(countOf(flood, "admitted"), 60)
    clock.utilization = 1
    for (let n = 1; n < 10; n++) {
      clock.now = n * 100
      admission.leave(enter("read", "other"))
    }
    assert.strictEqual(admission.state().share, 2)
    for (const place of flood.splice(0, 58)) admission.leave(place)
    const more = many(50, "read", noisy)
    assert.strictEqual(countOf(more, "admitted"), 0)
    assert.strictEqual(enter("read", "other").state, "admitted")
    for (const place of flood) admission.leave(place)
    assert.strictEqual(countOf(more, "admitted"), 2)
  })

  it("the oldest request goes first while the process keeps up, in an overload the newest (LOAD-4)", () => {
    for (const overloaded of [false, true]) {
      const { admission, bounds, enter, many } = open()
      const running = many(8, "read", each)
      // These fill the line, and then their clients leave.
      if (overloaded) for (const place of many(bounds.waiting + 1, "read", (n) => `left ${n}`)) admission.leave(place)
      const waits = [enter("read", "a"), enter("read", "a"), enter("read", "b")]
      const next = () => {
        const place = running.pop()
        if (place !== undefined) admission.leave(place)
        return states(waits).filter((state) => state === "admitted").length
      }
      assert.strictEqual(next(), 1)
      assert.strictEqual(waits[overloaded ? 2 : 0]?.state, "admitted")
    }
  })

  it("requests beyond the share of a caller keep their order (LOAD-4)", () => {
    const { admission, clock, many } = openBusy(12)
    const places = many(2, "read", noisy)
    const others = many(20, "read", each)
    places.push(...many(28, "read", noisy))
    const started: Array<number> = []
    const end = () => {
      const n = places.findIndex(({ state }) => state === "admitted")
      const place = places[n]
      if (place === undefined) return false
      started.push(n)
      admission.leave(place)
      return true
    }
    // One of them ends, and others start first. Meanwhile more of the caller's requests become ready.
    end()
    for (let n = 0; n < 10; n++) {
      clock.now += 100
      admission.expire()
    }
    for (const place of others) admission.leave(place)
    while (end());
    assert.deepStrictEqual(
      started,
      places.map((_, n) => n)
    )
  })

  it("a caller whose waiting read gives way to its own purchase is still one caller (LOAD-3, LOAD-6)", () => {
    const { bounds, enter, many } = open()
    many(8, "control", each)
    const read = enter("read", "buyer")
    many(bounds.waiting - 1, "read", (n) => `reader ${n}`)
    const purchase = enter("money", "buyer")
    assert.deepStrictEqual([read.state, purchase.state], ["refused", "waiting"])
    assert.strictEqual(enter("control", "buyer").caller, purchase.caller)
  })

  it("one caller takes at most half of the line (LOAD-3)", () => {
    const { enter, many } = open()
    many(8, "read", each)
    assert.strictEqual(countOf(many(20, "read", noisy), "waiting"), 10)
    assert.strictEqual(enter("read", "other").state, "waiting")
  })

  it("callers that send the next request after the response are all answered while they fit into the line (LOAD-4)", () => {
    const { admission, clock, enter, refused } = open()
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
    const { admission, bounds, clock, enter, many } = open()
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
    const { admission, bounds, clock, enter, many } = open()
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
    const { admission, bounds, clock, enter, many } = open()
    many(8, "money", each)
    const first = enter("money", "first")
    for (; clock.now < bounds.burstExcessMillis + 2 * bounds.windowMillis; clock.now += 50)
      enter("money", `account ${clock.now}`)
    assert.isTrue(admission.refusesRead())
    admission.expire()
    assert.strictEqual(first.state, "refused")
  })

  it("a process with few requests is not overloaded: requests beyond a caller's share wait even while none ends (LOAD-1, LOAD-4)", () => {
    const { admission, bounds, clock, enter, many } = open({
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
    const { admission, bounds, clock } = open()
    const arriveAll = (count: number) => {
      for (let n = 0; n < count; n++) admission.arrive()
    }
    arriveAll(bounds.neverOverloaded)
    for (; clock.now < 1500; clock.now += 50) arriveAll(1)
    assert.isTrue(admission.refusesRead())
  })

  it("refused reads that wait for their response take no room (LOAD-4)", () => {
    const { admission, bounds, clock } = open()
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
    const { admission, bounds, clock, enter } = open({ waiting: 50 })
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

  describe("while the process is busy for several callers", () => {
    it("a caller has a larger share for purchases than for reads, and its reads start beside its purchases (LOAD-3)", () => {
      const { many } = openBusy(40)
      many(20, "control", each)
      assert.strictEqual(countOf(many(9, "money", noisy), "admitted"), 4)
      assert.strictEqual(countOf(many(9, "read", noisy), "admitted"), 2)
    })

    it("callers have at least an even part for purchases (LOAD-3)", () => {
      const purchases = openBusy(40).many(100, "money", (n) => `buyer ${n % 4}`)
      for (let n = 0; n < 4; n++) {
        const own = purchases.filter((_, index) => index % 4 === n)
        assert.strictEqual(countOf(own, "admitted"), 10)
      }
    })
  })

  it("500 purchases of 10 callers within 0.7 seconds are no overload (LOAD-4)", () => {
    const { admission, clock, enter, refused } = open(LoadBounds.defaultValue())
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
    const { admission, clock, enter, refused } = open(LoadBounds.defaultValue())
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

  it("a burst that no longer arrives may wait (LOAD-4)", () => {
    const { admission, clock, many } = open()
    const places = many(20, "read", each)
    for (; clock.now < 2000; clock.now += 50) admission.expire()
    assert.strictEqual(countOf(places, "waiting"), 12)
    assert.isFalse(admission.refusesRead())
  })

  it("remembers nobody after the last request, whatever happens (LOAD-6)", () => {
    const step = fc.record({
      action: fc.constantFrom("enter", "leave", "wait", "expire"),
      priority: fc.constantFrom(...priorities),
      caller: fc.integer({ min: 0, max: 5 }),
      which: fc.nat()
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const { admission, bounds, clock, enter } = open()
        let held: Array<Place> = []
        for (const { action, caller, priority, which } of steps) {
          if (action === "enter") held.push(enter(priority, `account ${caller}`))
          else if (action === "wait") clock.now += which % 300
          else if (action === "expire") admission.expire()
          else for (const place of held.splice(which % Math.max(1, held.length), 1)) admission.leave(place)
          held = held.filter(({ state }) => state !== "refused")
          const { inProgress, waiting } = admission.state()
          assert.strictEqual(inProgress, countOf(held, "admitted"))
          assert.strictEqual(waiting, countOf(held, "waiting"))
          assert.isAtMost(inProgress, priorities.length * bounds.ceiling)
          assert.isAtMost(waiting, bounds.waiting)
          const leastShares = { control: Infinity, money: bounds.leastMoneyShare, read: bounds.leastShare }
          const ready = held.filter(
            ({ caller: { inProgress: own }, priority: waits, state }) =>
              state === "waiting" && own[waits] < leastShares[waits]
          )
          for (const { priority: waits } of ready) {
            const before = priorities.slice(0, priorities.indexOf(waits) + 1)
            const running = held.filter(({ priority: own, state }) => state === "admitted" && before.includes(own))
            assert.isAtLeast(running.length, bounds.floor, "one waits although there is room")
          }
        }
        for (const place of held) admission.leave(place)
        const { callers, delayedRefusals, inProgress, present, waiting } = admission.state()
        assert.deepStrictEqual([callers, delayedRefusals, inProgress, present, waiting], [0, 0, 0, 0, 0])
      })
    )
  })
})
