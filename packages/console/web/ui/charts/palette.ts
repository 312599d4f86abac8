import type { Series } from "./ChartData.ts"

/** The colors of the palette, as variables of styles.css. */
const colors = ["--chart-1", "--chart-2", "--chart-3", "--chart-4", "--chart-5", "--chart-6"] as const

const markers = ["bg-chart-1", "bg-chart-2", "bg-chart-3", "bg-chart-4", "bg-chart-5", "bg-chart-6"] as const

const tones = { good: "bg-good", warn: "bg-warn", bad: "bg-bad" } as const

/** The variable that has the color of the series at this position. */
export const variableOf = ({ tone }: Series, at: number): string =>
  tone === undefined ? (colors[at % colors.length] ?? colors[0]) : `--${tone}`

/** The class of the mark beside the name of the series. */
export const markerOf = ({ tone }: Series, at: number): string =>
  tone === undefined ? (markers[at % markers.length] ?? markers[0]) : tones[tone]

/** Lines also differ in their dashes, for those who do not see their colors apart. */
export const dashes: ReadonlyArray<ReadonlyArray<number>> = [[], [8, 4], [2, 3], [8, 3, 2, 3], [12, 3], [4, 8]]
