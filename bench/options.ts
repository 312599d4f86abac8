/** The options of a run, and the sizes of its data. `main.ts` explains them. */
import { parseArgs } from "node:util"
import { comparisons } from "./comparisons.ts"
import type { Sizes } from "./data.ts"

export const { values: flags } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    json: { type: "string" },
    peers: { type: "boolean", default: false },
    "own-code": { type: "boolean", default: false },
    replicas: { type: "boolean", default: false },
    listings: { type: "string" },
    buyers: { type: "string" },
    ledger: { type: "string" },
    data: { type: "string" },
    profile: { type: "string" }
  }
})

/** The measurements that need a server. */
export const serverNames = [
  "ready",
  ...comparisons.map(({ name }) => name),
  "pgbench",
  "latency",
  "graphql",
  "processes",
  "memory",
  "ledger",
  "audit",
  "webhooks",
  "streams",
  "beside-scans",
  "overload",
  "neighbours"
]
const scaleNames = ["ceiling", "extrapolation", "catalogue"]
export const names = ["client", "harness", "scan", "tron", ...serverNames, ...scaleNames]

/** Whether this run measures one of these. */
export const wanted = (...some: ReadonlyArray<string>) =>
  flags.only === undefined || some.some((name) => flags.only?.includes(name))

/** The market has as many products as each shop. */
const shops: Sizes = { buyers: 10_000, sellers: 100, souls: 100, listings: flags.quick ? 200 : 1000 }

const market: Sizes = {
  buyers: Number(flags.buyers ?? (flags.quick ? 2000 : 100_000)),
  sellers: flags.quick ? 200 : 1000,
  souls: flags.quick ? 2000 : 10_000,
  listings: Number(flags.listings ?? (flags.quick ? 10_000 : 1_000_000))
}
export const sizes = flags.peers ? shops : market

/** The ratio of searches of two words has a target for this many listings. */
export const few: Sizes = { ...sizes, buyers: Math.min(sizes.buyers, 2000), souls: 100, listings: 10_000 }

/** The lines of the large and of the audited ledger. */
export const ledgerLines = Number(flags.ledger ?? (flags.quick ? 100_000 : 10_000_000))
