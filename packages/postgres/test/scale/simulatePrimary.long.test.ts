import type { Setup } from "@agent-marketplace/fixtures/scale/simulatePrimary"
import { simulatePrimary } from "@agent-marketplace/fixtures/scale/simulatePrimary"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const plain: Setup = {
  seed: 1,
  milliseconds: 500,
  database: {
    processors: 2,
    cost: { perBatch: 1, perPurchase: 0.1 },
    contention: 0,
    walBytes: { perBatch: 1000, perPurchase: 4000 },
    walBandwidth: 1e9
  },
  commit: { flush: "next", milliseconds: 1 },
  servers: { count: 2, cost: { perBatch: 0.2, perPurchase: 0.05 }, batchSize: 64, inFlight: 2, roundTrip: 0.1 },
  load: { closed: 100 },
  hotPayer: 0,
  hotItem: 0
}

const setups: fc.Arbitrary<Setup> = fc
  .record({
    seed: fc.nat(),
    processors: fc.constantFrom(0.5, 1, 2, 8),
    contention: fc.constantFrom(0, 0.02),
    flush: fc.constantFrom("next", "joins", "parallel"),
    latency: fc.constantFrom(0, 0.1, 2, 20),
    count: fc.integer({ min: 1, max: 6 }),
    batchSize: fc.constantFrom(1, 8, 64),
    inFlight: fc.integer({ min: 1, max: 4 }),
    load: fc.oneof(
      fc.record({ open: fc.integer({ min: 10, max: 20_000 }) }),
      fc.record({ closed: fc.integer({ min: 1, max: 200 }) })
    ),
    hotPayer: fc.constantFrom(0, 0.1, 1),
    hotItem: fc.constantFrom(0, 0.1, 1)
  })
  .map(({ batchSize, contention, count, flush, hotItem, hotPayer, inFlight, latency, load, processors, seed }) => ({
    ...plain,
    seed,
    database: { ...plain.database, processors, contention },
    commit: { flush, milliseconds: latency },
    servers: { ...plain.servers, count, batchSize, inFlight },
    load,
    hotPayer,
    hotItem
  }))

const withinSetups = (holds: (setup: Setup) => void): void => fc.assert(fc.property(setups, holds), { numRuns: 60 })

/** Work that is under way at the bounds of the measured time counts in one half only. */
const atMost = (value: number, limit: number, tolerance = 0.15): void =>
  expect(value).toBeLessThanOrEqual(limit * (1 + tolerance))

describe("the simulation of a primary", () => {
  it("returns the same for the same seed", () => {
    withinSetups((setup) => {
      expect(simulatePrimary(setup)).toEqual(simulatePrimary(setup))
    })
  })

  it("uses no processor, server or connection for longer than it is there", () => {
    withinSetups((setup) => {
      const { busy } = simulatePrimary(setup)
      for (const share of [busy.database, busy.servers, busy.slots]) atMost(share, 1, 1e-6)
    })
  })

  it("settles no more purchases than their batches' processor time allows", () => {
    withinSetups((setup) => {
      const { meanBatch, perSecond } = simulatePrimary(setup)
      const { cost, processors } = setup.database
      const each = cost.perBatch / Math.max(1, meanBatch) + cost.perPurchase
      // The work of a batch varies between half and one and a half of its mean.
      atMost(perSecond, (1000 * processors) / each, 0.5)
    })
  })

  it("settles no more purchases than arrive, and all of them while nothing is busy", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 100, max: 1000 }), (seed, open) => {
        const { busy, perSecond } = simulatePrimary({ ...plain, seed, milliseconds: 5000, load: { open } })
        expect(busy.database).toBeLessThan(0.9)
        expect(Math.abs(perSecond - open)).toBeLessThan(0.2 * open)
      }),
      { numRuns: 20 }
    )
  })

  it("has as many purchases under way as their rate times their time (Little's law)", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 200 }), (seed, closed) => {
        const { mean, perSecond } = simulatePrimary({ ...plain, seed, milliseconds: 2000, load: { closed } })
        const underWay = (perSecond * mean) / 1000
        expect(Math.abs(underWay - closed * plain.servers.count)).toBeLessThan(0.1 * closed * plain.servers.count + 1)
      }),
      { numRuns: 20 }
    )
  })

  it("settles one payer's batches, and batches that sell one item, one after the other", () => {
    withinSetups((setup) => {
      const latency = Math.max(1, setup.commit.milliseconds)
      const commit = { ...setup.commit, milliseconds: latency }
      for (const hot of [{ hotPayer: 1 }, { hotItem: 1 }]) {
        const { meanBatch, perSecond } = simulatePrimary({ ...setup, ...hot, commit })
        atMost(perSecond, (1000 * Math.max(1, meanBatch)) / latency)
      }
    })
  })

  it("commits a serial flush's batches together: a slow disk slows down each batch, not the sum of all", () => {
    const slow = { ...plain, commit: { flush: "next", milliseconds: 20 }, load: { closed: 512 } } as const
    const few = simulatePrimary({ ...slow, servers: { ...slow.servers, count: 1 } })
    const many = simulatePrimary({ ...slow, servers: { ...slow.servers, count: 4 } })
    expect(many.perSecond).toBeGreaterThan(2.5 * few.perSecond)
  })

  it("never lets a commit that joins a flush wait longer than one that waits for the next", () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(1, 5, 20), (seed, latency) => {
        const p50 = (flush: "joins" | "next") =>
          simulatePrimary({
            ...plain,
            seed,
            milliseconds: 2000,
            commit: { flush, milliseconds: latency },
            load: { open: 500 }
          }).p50
        expect(p50("joins")).toBeLessThanOrEqual(p50("next") + 0.1)
      }),
      { numRuns: 20 }
    )
  })

  it("takes no more WAL than its disk writes", () => {
    const bandwidth = 10_000
    const { perSecond } = simulatePrimary({
      ...plain,
      database: { ...plain.database, walBandwidth: bandwidth },
      load: { closed: 400 }
    })
    atMost(perSecond, (1000 * bandwidth) / plain.database.walBytes.perPurchase)
  })
})
