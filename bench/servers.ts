/** The measurements that start servers of their own. */
import { join } from "node:path"
import { childrenOf, confine } from "./confine.ts"
import type { Confinement } from "./confine.ts"
import { compareServed } from "./comparisons.ts"
import type { Bench } from "./measures.ts"
import { alternate, none, run } from "./measures.ts"
import type { Server } from "./processes.ts"
import { startServer } from "./processes.ts"
import type { Line } from "./report.ts"
import { judged, median, rate, times } from "./report.ts"
import type { Work } from "./requests.ts"

/** Resident memory of a new server after many requests, and whether it still grows. */
export const memory = async (bench: Bench, requests: number): Promise<Line> => {
  const environment = { ...bench.environment, DATABASE_URL: bench.databaseUrl }
  const server = await startServer("market", bench.folder, environment)
  const send = (work: Work, share: number) =>
    run(bench, work, "market", { server, requests: Math.ceil(requests * share), seconds: 600 })
  const half = async () => {
    for (const [work, share] of [
      ["soul", 0.2],
      ["skill", 0.15],
      ["souls", 0.05],
      ["feed", 0.05],
      ["buy", 0.05]
    ] as const)
      await send(work, share)
    return server.memory()
  }
  const [idle, first, last] = [server.memory(), await half(), await half()]
  await server.stop()
  const market = `${idle.toFixed(0)} MB idle, ${first.toFixed(0)} MB after half, ${last.toFixed(0)} MB at the end`
  const work = `memory of a server after ${requests.toLocaleString("en")} requests`
  return judged(work, { market }, { row: 12, value: last, unit: "MB", below: 300 })
}

/** The time from process start to ready: with a running database, and with the embedded one on its second start. */
export const readiness = async (bench: Bench): Promise<ReadonlyArray<Line>> => {
  const startTimes = async (environment: Readonly<Record<string, string>>) => {
    const found: Array<number> = []
    for (let start = 0; start <= bench.rounds; start++) {
      const server = await startServer("market", bench.folder, { ...bench.environment, ...environment })
      if (start > 0) found.push(server.readyMillis)
      await server.stop()
    }
    return median(found) / 1000
  }
  const external = await startTimes({ DATABASE_URL: bench.databaseUrl })
  const embedded = await startTimes({ DATABASE_URL: "", DATA_DIR: join(bench.folder, "embedded") })
  const line = (work: string, value: number, below: number) =>
    judged(work, { market: `${value.toFixed(2)} s` }, { row: 13, value, unit: "s", below })
  return [line("ready, external database", external, 1.5), line("ready, embedded database, second start", embedded, 4)]
}

/** Compares the cost of a purchase on a large ledger with that on a small one. Every buyer has limits in every window. */
export const ledgerGrowth = async (bench: Bench, small: Server, large: Server, sizes: string): Promise<Line> => {
  const purchases = { requests: Math.ceil(4000 * bench.seconds), seconds: 120 }
  for (const server of [small, large]) {
    await run(bench, "skill", "market", { server, requests: bench.sizes.sellers + bench.sizes.buyers, seconds: 60 })
  }
  const side = (server: Server) => () => run(bench, "buy", "market", { server, ...purchases })
  await side(small)()
  await side(large)()
  const { ratio: ratioOf, sides } = await alternate(bench, [side(small), side(large)])
  const [onSmall = none, onLarge = none] = sides
  const ratio = ratioOf("perSecond", 1) ?? 0
  return judged(
    `cost of a buy, ledger of ${sizes} lines`,
    { market: rate(onLarge), reference: rate(onSmall), ratio: times(ratio) },
    { row: 15, value: ratio, unit: "×", below: 1.3 }
  )
}

/** So small that PostgreSQL and the client never wait for a processor on a machine with two. */
const processorsOfEach = 0.25

/** Limits each server process that accepts requests; undefined where that is not possible. */
const confineEach = ({ pid }: Server): ReadonlyArray<Confinement> | undefined => {
  const children = childrenOf(pid)
  const confined = (children.length > 0 ? children : [pid]).map((each) => {
    const confinement = confine(each)
    confinement?.limit(processorsOfEach)
    return confinement
  })
  return confined.some((each) => each === undefined) ? undefined : confined.filter((each) => each !== undefined)
}

/**
 * Reads from two server processes on one port, compared with one. First client, PostgreSQL and servers share all processors; then each server
 * process has a share of its own, as if the others ran on further machines.
 */
export const processes = async (bench: Bench): Promise<ReadonlyArray<Line>> => {
  const start = (PROCESSES: string) =>
    startServer("market", bench.folder, { ...bench.environment, DATABASE_URL: bench.databaseUrl, PROCESSES })
  const [two, one] = [await start("2"), await start("1")]
  const side = (server: Server) => () => run(bench, "skill", "market", { server })
  const against = (work: string, goal: { readonly row: number; readonly atLeast?: number }) =>
    compareServed(bench, work, [side(two), side(one)], goal)
  try {
    for (const server of [two, one]) {
      await run(bench, "skill", "market", { server, requests: 2 * bench.sizes.buyers, seconds: 60 })
    }
    const shared = await against("skill detail, two server processes against one", { row: 9 })
    const confined = [two, one].map(confineEach)
    if (confined.some((each) => each === undefined)) return [shared]
    const limited = await against(
      `skill detail, two server processes against one, each with ${processorsOfEach} of a processor`,
      { row: 9, atLeast: 1.5 }
    )
    for (const each of confined.flat()) each?.release()
    return [shared, limited]
  } finally {
    await two.stop()
    await one.stop()
  }
}
