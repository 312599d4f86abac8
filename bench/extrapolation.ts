/**
 * `npm run bench -- --only extrapolation`: what larger machines would settle, simulated with the costs that `--only ceiling` measured. It needs no
 * database, and prints the same on every machine.
 */
import type { Setup, Simulated } from "@agent-marketplace/fixtures/scale/simulatePrimary"
import { simulatePrimary } from "@agent-marketplace/fixtures/scale/simulatePrimary"
import { measuredCosts } from "./measuredCosts.ts"
import type { Line } from "./report.ts"

interface Machine {
  readonly processors: number
  /** Milliseconds of one flush of the WAL, and bytes that the disk writes in a millisecond. */
  readonly disk: { readonly name: string; readonly flush: number; readonly bandwidth: number }
}

const megabyte = 1e6

/** Assumed, not measured: the latencies that these kinds of disks are sold with. */
const disks = {
  nvme: { name: "NVMe 0.1 ms", flush: 0.1, bandwidth: (1000 * megabyte) / 1000 },
  cloud: { name: "cloud disk 1 ms", flush: 1, bandwidth: (500 * megabyte) / 1000 },
  slow: { name: "cloud disk 5 ms", flush: 5, bandwidth: (125 * megabyte) / 1000 }
} as const

/** Assumed: 1 % of a processor is lost for each further one. With 0, more processors would never be in each other's way. */
const contention = 0.01

/** Milliseconds between machines of one data centre, assumed. */
const roundTrip = 0.3

const setupOf = (
  { disk, processors }: Machine,
  servers: number,
  load: Setup["load"],
  more: Partial<Pick<Setup, "hotItem" | "hotPayer">> & { readonly walBytes?: number } = {}
): Setup => ({
  seed: 7,
  milliseconds: 1000,
  database: {
    processors,
    cost: measuredCosts.database,
    contention,
    walBytes: { perBatch: 0, perPurchase: more.walBytes ?? measuredCosts.walBytes },
    walBandwidth: disk.bandwidth
  },
  commit: { flush: "next", milliseconds: disk.flush },
  servers: { count: servers, cost: measuredCosts.server, batchSize: 64, inFlight: 2, roundTrip },
  load,
  hotPayer: more.hotPayer ?? 0,
  hotItem: more.hotItem ?? 0
})

const wallOf = ({ busy, perSecond, spent }: Simulated, { database, load }: Setup): string => {
  const bytes = (perSecond * database.walBytes.perPurchase) / 1000 / database.walBandwidth
  if ("open" in load && perSecond > 0.97 * load.open) return "none"
  if (busy.database > 0.93) return "the primary's processors"
  if (bytes > 0.85) return "bandwidth of the WAL"
  if (busy.servers > 0.93) return "the servers' processors"
  return spent.lock > spent.commit ? "rows that are locked until the commit" : "latency of the commit"
}

const number = (value: number, digits = 0): string =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })

const percent = (share: number): string => `${number(100 * share)} %`

interface Extrapolated {
  readonly work: string
  readonly setup: Setup
  readonly found: Simulated
  readonly wall: string
}

const extrapolate = (work: string, setup: Setup): Extrapolated => {
  const found = simulatePrimary(setup)
  return { work, setup, found, wall: wallOf(found, setup) }
}

/** Enough callers to fill the batches of each server. */
const saturated = { closed: 256 } as const

const target = 10_000

/** The highest rates of machines with as many servers as they can serve. */
const ceilings = (): ReadonlyArray<Extrapolated> =>
  [2, 8, 16, 32, 64].flatMap((processors) =>
    Object.values(disks).map((disk) => {
      const servers = Math.min(160, 10 * processors)
      return extrapolate(
        `${processors} processors, ${disk.name}, ${servers} servers: highest rate`,
        setupOf({ processors, disk }, servers, saturated)
      )
    })
  )

/** The rate that is to be reached, by machine and number of servers. */
const atTarget = (): ReadonlyArray<Extrapolated> =>
  [4, 8].flatMap((processors) =>
    Object.values(disks).flatMap((disk) =>
      [12, 24].map((servers) =>
        extrapolate(
          `${processors} processors, ${disk.name}, ${servers} servers: ${number(target)}/s arrive`,
          setupOf({ processors, disk }, servers, { open: target })
        )
      )
    )
  )

const special = (): ReadonlyArray<Extrapolated> => [
  ...Object.values(disks).map((disk) =>
    extrapolate(
      `16 processors, ${disk.name}, 16 servers, all buy one item`,
      setupOf({ processors: 16, disk }, 16, saturated, { hotItem: 1 })
    )
  ),
  ...Object.values(disks).map((disk) =>
    extrapolate(
      `16 processors, ${disk.name}, 16 servers, one payer`,
      setupOf({ processors: 16, disk }, 16, saturated, { hotPayer: 1 })
    )
  ),
  ...Object.values(disks).map((disk) =>
    extrapolate(
      `16 processors, ${disk.name}, 16 servers, right after a checkpoint`,
      setupOf({ processors: 16, disk }, 16, saturated, { walBytes: measuredCosts.walBytesAfterCheckpoint })
    )
  )
]

const lineOf = ({ found, wall, work }: Extrapolated): Line => ({
  work,
  market: `${number(found.perSecond)}/s  p50 ${number(found.p50, 1)} ms  p99 ${number(found.p99, 1)} ms  batches of ${number(found.meanBatch, 1)}`,
  reference: `primary ${percent(found.busy.database)}, servers ${percent(found.busy.servers)}`,
  ratio: `first wall: ${wall}`,
  target: "",
  met: undefined
})

export const extrapolation = (): ReadonlyArray<Line> => [...ceilings(), ...atTarget(), ...special()].map(lineOf)
