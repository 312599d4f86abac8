import type { Cost } from "@agent-marketplace/fixtures/scale/simulatePrimary"

/**
 * What `npm run bench -- --only ceiling --quick` measured on 2026-11-24, on 2 cores of an AMD EPYC at a load of 13: milliseconds of processor
 * time, and bytes. `docs/scale.md` shows the whole run.
 */
export const measuredCosts: {
  readonly database: Cost
  /** The cost of a server that also reads the request, checks the key and writes the response. Measured at a load of 29, so rather too high. */
  readonly server: Cost
  readonly walBytes: number
  readonly walBytesAfterCheckpoint: number
} = {
  database: { perBatch: 0.785, perPurchase: 0.121 },
  server: { perBatch: 0.56, perPurchase: 0.7 },
  walBytes: 3870,
  walBytesAfterCheckpoint: 45_700
}
