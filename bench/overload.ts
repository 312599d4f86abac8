/** What the market does at twice its highest rate, and what one account at full speed does to the others. */
import type { MixedResult, Source, SourceResult } from "./mixedLoad.ts"
import { continuePurchases, nextPurchase } from "./measures.ts"
import type { Bench } from "./measures.ts"
import { startMixedLoad } from "./processes.ts"
import { mixedCycle } from "./requests.ts"
import type { Line } from "./report.ts"
import { judged, median, plain, times } from "./report.ts"

/** Enough connections for the highest rate, and for further requests to be sent while the server holds some back. */
const steadyConnections = 128
const floodConnections = 3000

/** The share of the highest rate at which the other accounts send. */
const othersShare = 0.3

type Run = (...sources: ReadonlyArray<Source>) => Promise<MixedResult["sources"]>

const openLoad = (bench: Bench): Run => {
  const load = startMixedLoad()
  const { purchases, requests } = mixedCycle
  return async (...sources) => {
    // Starts after the last purchase, so that none is requested twice.
    const from = Math.ceil(nextPurchase() / purchases) * requests
    const { next, sources: results } = await load({ port: bench.market.port, sizes: bench.sizes, from, sources })
    continuePurchases(Math.ceil(next / requests) * purchases)
    for (const { failures, firstFailure } of results)
      if (failures > 0) throw new Error(`${failures} failed, first ${firstFailure}`)
    return results
  }
}

const millis = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`

const count = (value: number): string => Math.round(value).toLocaleString("en")

const steady = (seconds: number): Source => ({ kind: "mix", connections: steadyConnections, startSeconds: 0, seconds })

const none: SourceResult = { perSecond: 0, p50: 0, p99: 0, byPriority: [], lastLate: 0, failures: 0, firstFailure: "" }

/** The highest rate with responses, each connection sending the next request after the response. */
const highestRate = async (run: Run, bench: Bench): Promise<number> => {
  await run(steady(bench.seconds * 2))
  const rates = []
  for (let round = 0; round < bench.rounds; round++) {
    const [found = none] = await run(steady(bench.seconds * 2))
    rates.push(found.perSecond)
  }
  return median(rates)
}

/** Half of the rate, twice the highest rate, half of it again. */
export const overload = async (bench: Bench): Promise<ReadonlyArray<Line>> => {
  const run = openLoad(bench)
  const highest = await highestRate(run, bench)
  const seconds = bench.seconds * 10
  const [flood = none, after = none] = await run(
    { kind: "mix", connections: floodConnections, rate: 2 * highest, startSeconds: 5, seconds },
    { kind: "mix", connections: steadyConnections, rate: highest / 2, startSeconds: 5 + seconds, seconds: 10 }
  )
  const shares = flood.byPriority.map(({ accepted, p99, priority, refused }) =>
    plain(
      `at twice the rate: ${priority}`,
      `${count(accepted)} accepted, ${((100 * refused) / Math.max(1, accepted + refused)).toFixed(1)}% refused  p99 ${millis(p99)}`,
      "",
      undefined
    )
  )
  return [
    plain("highest rate of reads, purchases and control", `${count(highest)}/s`, "", undefined),
    judged(
      `twice that rate for ${seconds} s: p99 of accepted`,
      { market: `${count(flood.perSecond)}/s  p50 ${millis(flood.p50)}  p99 ${millis(flood.p99)}` },
      { row: 24, value: flood.p99, unit: "ms", below: 200 }
    ),
    ...shares,
    judged(
      "then half of it: the last refused or over 200 ms",
      { market: `after ${after.lastLate.toFixed(2)} s  p99 ${millis(after.p99)}` },
      { row: 24, value: after.lastLate, unit: "s", below: 5 }
    )
  ]
}

/** The p99 of many accounts while one more sends as fast as it can on 128 connections, against the p99 without it. */
export const neighbours = async (bench: Bench): Promise<ReadonlyArray<Line>> => {
  const run = openLoad(bench)
  const highest = await highestRate(run, bench)
  const seconds = bench.seconds * 4
  const others: Source = {
    kind: "mix",
    connections: steadyConnections,
    rate: highest * othersShare,
    startSeconds: 0,
    seconds
  }
  const noise: Source = { kind: "noise", connections: steadyConnections, startSeconds: 0, seconds }
  const [alone, beside, noisy]: [Array<SourceResult>, Array<SourceResult>, Array<SourceResult>] = [[], [], []]
  for (let round = 0; round < bench.rounds; round++) {
    alone.push(...(await run(others)))
    const [withNoise = none, own = none] = await run(others, noise)
    beside.push(withNoise)
    noisy.push(own)
  }
  const middle = (results: ReadonlyArray<SourceResult>, of: "p50" | "p99" | "perSecond") =>
    median(results.map((result) => result[of]))
  const ratio = median(beside.map(({ p99 }, round) => p99 / (alone[round]?.p99 ?? Number.NaN)))
  const refused = beside.flatMap(({ byPriority }) => byPriority.map((own) => own.refused)).reduce((a, b) => a + b, 0)
  return [
    judged(
      `p99 of others at ${othersShare * 100}% of the highest rate, beside one account at full speed`,
      {
        market: `p50 ${millis(middle(beside, "p50"))}  p99 ${millis(middle(beside, "p99"))}, ${refused} refused`,
        reference: `p50 ${millis(middle(alone, "p50"))}  p99 ${millis(middle(alone, "p99"))}`,
        ratio: times(ratio)
      },
      { row: 23, value: ratio, unit: "×", below: 1.33 }
    ),
    plain("the account at full speed", `${count(middle(noisy, "perSecond"))}/s accepted`, "", undefined)
  ]
}
