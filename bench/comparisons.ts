/** The comparisons with the reference server, and of kinds of work with each other. */
import type { Bench, Costed } from "./measures.ts"
import { alternate, none, run } from "./measures.ts"
import type { Goal, Line, Sided } from "./report.ts"
import { judged, rate, times } from "./report.ts"
import type { Work } from "./requests.ts"

interface Comparison {
  readonly name: string
  readonly work: Work
  readonly title: string
  /** The row of the target. */
  readonly row: number
  /** The variants of the reference, each with the required ratio. */
  readonly references: ReadonlyArray<{ readonly variant?: string; readonly title?: string; readonly least?: number }>
}

/** The number of listings for which the rates of searches have a target, and the one for which their ratio has. */
const [manyListings, fewListings] = [1_000_000, 10_000]

export const twoWords: Comparison = {
  name: "search2",
  work: "search2",
  title: "search, two words",
  row: 16,
  references: [{ least: 1 }]
}

export const comparisons: ReadonlyArray<Comparison> = [
  { name: "soul", work: "soul", title: "soul detail", row: 1, references: [{ least: 1.2 }] },
  { name: "souls", work: "souls", title: "souls, list of 50", row: 2, references: [{ least: 2 }] },
  { name: "skill", work: "skill", title: "skill detail", row: 1, references: [{ least: 1.2 }] },
  { name: "search", work: "search", title: "search, a common word", row: 7, references: [{}] },
  twoWords,
  { name: "feed", work: "feed", title: "activity feed", row: 6, references: [{ least: 3 }] },
  {
    name: "buy",
    work: "buy",
    title: "buy",
    row: 3,
    references: [{ least: 2 }, { variant: "/fee", title: "buy, one fee row credited", least: 2 }]
  },
  {
    name: "viral",
    work: "viral",
    title: "buy, one viral item",
    row: 4,
    references: [{ least: 5 }, { variant: "/fee", title: "buy, one viral item, one fee row credited" }]
  }
]

/** Each search of two words reads different rows. With a million listings, a connection is warm only after this time, when its process has mapped the shared buffers. */
const warmUpSeconds = 90

const needsLongWarmUp = ({ sizes }: Bench, work: Work): boolean => work === "search2" && sizes.listings >= manyListings

export const compare = async (
  bench: Bench,
  { references, row, title, work }: Comparison
): Promise<{ readonly lines: ReadonlyArray<Line>; readonly market: Sided }> => {
  const sides = [
    () => run(bench, work, "market"),
    ...references.map(
      ({ variant = "" }) =>
        () =>
          run(bench, work, "reference", { variant })
    )
  ]
  const [warm, warmReference] = needsLongWarmUp(bench, work)
    ? [warmUpSeconds, warmUpSeconds]
    : [bench.seconds, bench.seconds / 2]
  await run(bench, work, "market", { seconds: warm })
  await run(bench, work, "reference", { seconds: warmReference })
  const { ratio, sides: found } = await alternate(bench, sides)
  const market = found[0] ?? none
  const lines = references.map((reference, i): Line => {
    const rates = ratio("perSecond", i + 1) ?? 0
    const costs = ratio("cpu", i + 1)
    const isJudged = reference.least !== undefined && (row !== 16 || bench.sizes.listings <= fewListings)
    return judged(
      reference.title ?? title,
      {
        market: i === 0 ? rate(market) : "",
        reference: rate(found[i + 1] ?? none),
        ratio: times(rates) + (costs === undefined ? "" : `  cpu ${times(1 / costs)}`)
      },
      { row, value: rates, unit: "×", ...(isJudged ? { atLeast: reference.least } : {}) }
    )
  })
  return { lines: [...lines, ...searchRates(bench, row, title, market)], market }
}

/** The targets of searches among many listings are rates. */
const searchRates = (bench: Bench, row: number, title: string, { p99, perSecond }: Sided): ReadonlyArray<Line> => {
  if (bench.sizes.listings < manyListings || (row !== 7 && row !== 16)) return []
  const market = `${Math.round(perSecond)}/s`
  const lines = [judged(`${title}, rate`, { market }, { row, value: perSecond, unit: "/s", atLeast: 400 })]
  if (row === 7) {
    lines.push(judged(`${title}, p99`, { market: `${p99.toFixed(0)} ms` }, { row, value: p99, unit: "ms", below: 150 }))
  }
  return lines
}

/** The rate of a kind of work at the market, divided by that of another kind of work or of another server. */
export const compareServed = async (
  bench: Bench,
  work: string,
  sides: readonly [() => Promise<Costed>, () => Promise<Costed>],
  goal: Pick<Goal, "row" | "atLeast">
): Promise<Line> => {
  for (const side of sides) await side()
  const { ratio, sides: found } = await alternate(bench, sides)
  const [value, costs] = [ratio("perSecond", 1) ?? 0, ratio("cpu", 1)]
  return judged(
    work,
    {
      market: rate(found[0] ?? none),
      reference: rate(found[1] ?? none),
      ratio: times(value) + (costs === undefined ? "" : `  cpu ${times(1 / costs)}`)
    },
    { ...goal, value, unit: "×" }
  )
}

/** 50 listings with creator and stats over GraphQL, compared with the REST list of 50. */
export const graphql = (bench: Bench): Promise<Line> =>
  compareServed(
    bench,
    "GraphQL, 50 listings with creator and stats, against the REST list",
    [() => run(bench, "graphql", "market"), () => run(bench, "listings", "market")],
    { row: 19, atLeast: 0.5 }
  )

/** Compares purchases of one viral item with purchases of many items. */
export const viralAgainstBuy = (buy: Sided, viral: Sided): Line => {
  const ratio = viral.perSecond / buy.perSecond
  return judged("viral item against buy", { ratio: times(ratio) }, { row: 4, value: ratio, unit: "×", atLeast: 0.8 })
}
