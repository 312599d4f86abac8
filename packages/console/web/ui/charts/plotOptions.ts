import uPlot from "uplot"
import type { ChartData } from "./ChartData.ts"
import { timeText } from "./ChartData.ts"
import { dashes, variableOf } from "./palette.ts"
import type { Unit } from "./units.ts"

export interface PlotRequest {
  readonly data: ChartData
  readonly kind: "bars" | "lines"
  readonly unit: Unit
  /** Called with the position of the time below the pointer, or null. */
  readonly onPoint: (at: number | null) => void
}

/** The color that a variable of styles.css has in the current color scheme: a canvas does not resolve variables. */
const colorOf = (element: HTMLElement, variable: string): string => {
  const before = element.style.color
  element.style.color = `var(${variable})`
  const { color } = getComputedStyle(element)
  element.style.color = before
  return color
}

/** Bars stand side by side at 0, 1, 2, …, as months differ in length; parts are stacked, the first at the bottom. */
const stacked = ({ series, times }: ChartData): uPlot.AlignedData => {
  const sums = times.map(() => 0)
  const rows = series.map(({ values }) =>
    values.map((value, at) => {
      const sum = (sums[at] ?? 0) + (value ?? 0)
      sums[at] = sum
      // Nothing is drawn for zero, not even the outline of a bar.
      return sum === 0 ? null : sum
    })
  )
  return [times.map((_, at) => at), ...rows.toReversed()]
}

/** The data as uPlot draws it. The highest part of a stack comes first, so that the lower ones are drawn over it. */
export const alignedData = ({ data, kind }: PlotRequest): uPlot.AlignedData =>
  kind === "bars" ? stacked(data) : [data.times.map((at) => at / 1000), ...data.series.map(({ values }) => [...values])]

/** As wide as the longest label. */
const yAxisSize: uPlot.Axis.Size = (_, values) =>
  Math.ceil(Math.max(0, ...(values ?? []).map(({ length }) => length)) * 7.5) + 16

const axesOf = (element: HTMLElement, current: () => PlotRequest): Array<uPlot.Axis> => {
  const common = {
    stroke: colorOf(element, "--muted"),
    font: `12px ${getComputedStyle(element).fontFamily}`,
    ticks: { show: false }
  } as const
  const { kind, unit } = current()
  const labels = (splits: ReadonlyArray<number>): Array<string> => {
    const { per, times } = current().data
    return splits.map((at) => {
      if (kind === "lines") return timeText(at * 1000, per, "short")
      const time = Number.isInteger(at) ? times[at] : undefined
      return time === undefined ? "" : timeText(time, per, "short")
    })
  }
  return [
    {
      ...common,
      grid: { show: false },
      space: kind === "lines" ? 90 : 64,
      size: 30,
      ...(kind === "bars" ? { incrs: [1, 2, 3, 7, 14, 28, 56, 112] } : {}),
      values: (_, splits) => labels(splits)
    },
    {
      ...common,
      grid: { stroke: colorOf(element, "--line"), width: 1 },
      size: yAxisSize,
      space: 36,
      ...(unit.steps === undefined ? {} : { incrs: [...unit.steps] }),
      values: (_, splits) => splits.map((value) => current().unit.axis(value))
    }
  ]
}

const seriesOf = (element: HTMLElement, { data, kind }: PlotRequest): Array<uPlot.Series> => {
  const card = colorOf(element, "--card")
  const drawn = data.series.map((series, at): uPlot.Series => {
    const color = colorOf(element, variableOf(series, at))
    if (kind === "lines")
      return {
        label: series.label,
        stroke: color,
        width: 2,
        points: { size: 4, fill: color },
        dash: [...(dashes[at % dashes.length] ?? [])]
      }
    const bars = uPlot.paths.bars?.({ size: [0.75, 48], radius: data.series.length === 1 ? 0.15 : 0 })
    return {
      label: series.label,
      fill: color,
      stroke: data.series.length === 1 ? color : card,
      width: data.series.length === 1 ? 0 : 1,
      points: { show: false },
      ...(bars === undefined ? {} : { paths: bars })
    }
  })
  return [{}, ...(kind === "bars" ? drawn.toReversed() : drawn)]
}

/** What uPlot draws into `element`, in the colors that the page has now. */
export const plotOptions = (element: HTMLElement, current: () => PlotRequest): uPlot.Options => {
  const { kind } = current()
  return {
    width: element.clientWidth,
    height: 220,
    legend: { show: false },
    // The last time of a line stands at the edge, half of it beyond.
    padding: [8, kind === "lines" ? 36 : 8, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === "lines" } },
    scales: {
      x: kind === "bars" ? { time: false, range: (_, min, max) => [min - 0.5, max + 0.5] } : { time: true },
      // From zero, so that heights can be compared; without any value above zero, up to 1.
      y: {
        range: (_, __, max) =>
          uPlot.rangeNum(0, max > 0 ? max : 1, { min: { pad: 0, hard: 0, mode: 1 }, max: { pad: 0.08 } })
      }
    },
    axes: axesOf(element, current),
    series: seriesOf(element, current()),
    hooks: { setCursor: [({ cursor }) => current().onPoint(cursor.idx ?? null)] }
  }
}
