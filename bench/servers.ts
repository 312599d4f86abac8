/** The measurements that start servers of their own. */
import { join } from "node:path"
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

/** Reads from two server processes on one port, compared with one. Client and PostgreSQL use the same processors. */
export const processes = async (bench: Bench): Promise<Line> => {
  const start = (PROCESSES: string) =>
    startServer("market", bench.folder, { ...bench.environment, DATABASE_URL: bench.databaseUrl, PROCESSES })
  const [two, one] = [await start("2"), await start("1")]
  try {
    for (const server of [two, one]) {
      await run(bench, "skill", "market", { server, requests: 2 * bench.sizes.buyers, seconds: 60 })
    }
    const side = (server: Server) => () => run(bench, "skill", "market", { server })
    return await compareServed(bench, "skill detail, two server processes against one", [side(two), side(one)], {
      row: 9,
      atLeast: 1.5
    })
  } finally {
    await two.stop()
    await one.stop()
  }
}
