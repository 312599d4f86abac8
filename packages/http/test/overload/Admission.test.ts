import { priorities } from "@agent-marketplace/api/access/LoadPriority"
import type { Place } from "@agent-marketplace/http/overload/makeAdmission"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { countOf, each, noisy, openAdmission, openBusyAdmission, states } from "../fixtures/openAdmission.ts"

describe("admission of requests", () => {
  it("admits as many as the limit, and a waiting one for each that ends (LOAD-1)", () => {
    const { admission, many } = openAdmission()
    const places = many(10, "read", each)
    assert.deepStrictEqual([countOf(places, "admitted"), countOf(places, "waiting")], [8, 2])
    for (const place of places.slice(0, 2)) admission.leave(place)
    assert.deepStrictEqual([countOf(places, "admitted"), countOf(places, "waiting")], [8, 0])
  })

  it("control and money start where reads fill the limit, and control where money does (LOAD-2)", () => {
    const { many } = openAdmission()
    assert.strictEqual(countOf(many(9, "read", each), "waiting"), 1)
    assert.strictEqual(countOf(many(9, "money", each), "waiting"), 1)
    assert.strictEqual(countOf(many(9, "control", each), "waiting"), 1)
  })

  it("those who wait start by priority (LOAD-2)", () => {
    const { admission, many } = openAdmission()
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
    const { admission, enter, many, refused } = openAdmission()
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
    const { admission, clock, enter, many } = openAdmission({ floor: 100, ceiling: 100, waiting: 200 })
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
      const { admission, bounds, enter, many } = openAdmission()
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
    const { admission, clock, many } = openBusyAdmission(12)
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
    // One of them ends, and others start first. Meanwhile the caller sends more requests, and more of them become ready.
    end()
    places.push(...many(4, "read", noisy))
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
    const { bounds, enter, many } = openAdmission()
    many(8, "control", each)
    const read = enter("read", "buyer")
    many(bounds.waiting - 1, "read", (n) => `reader ${n}`)
    const purchase = enter("money", "buyer")
    assert.deepStrictEqual([read.state, purchase.state], ["refused", "waiting"])
    assert.strictEqual(enter("control", "buyer").caller, purchase.caller)
  })

  it("one caller takes at most half of the line (LOAD-3)", () => {
    const { enter, many } = openAdmission()
    many(8, "read", each)
    assert.strictEqual(countOf(many(20, "read", noisy), "waiting"), 10)
    assert.strictEqual(enter("read", "other").state, "waiting")
  })

  describe("while the process is busy for several callers", () => {
    it("a caller has a larger share for purchases than for reads, and its reads start beside its purchases (LOAD-3)", () => {
      const { many } = openBusyAdmission(40)
      many(20, "control", each)
      assert.strictEqual(countOf(many(9, "money", noisy), "admitted"), 4)
      assert.strictEqual(countOf(many(9, "read", noisy), "admitted"), 2)
    })

    it("callers have at least an even part for purchases (LOAD-3)", () => {
      const purchases = openBusyAdmission(40).many(100, "money", (n) => `buyer ${n % 4}`)
      for (let n = 0; n < 4; n++) {
        const own = purchases.filter((_, index) => index % 4 === n)
        assert.strictEqual(countOf(own, "admitted"), 10)
      }
    })
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
        const { admission, bounds, clock, enter } = openAdmission()
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
