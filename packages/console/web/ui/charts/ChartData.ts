/** One line of a chart, or one part of its bars. */
export interface Series {
  /** Distinguishes series with the same label. */
  readonly id: string
  readonly label: string
  /** One value for each time; null where nothing was measured. */
  readonly values: ReadonlyArray<number | null>
  /** For what is good, needs attention or failed; otherwise the next color of the palette. */
  readonly tone?: "good" | "warn" | "bad"
}

/** How the times of a chart are shown: UTC days, UTC months, or instants in the reader's zone. */
export type Per = "day" | "month" | "instant"

/** The numbers of a chart over time. */
export interface ChartData {
  readonly per: Per
  /** In milliseconds since 1970, ascending. A day or month is given by its start in UTC. */
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<Series>
}

const styles = {
  day: {
    short: { month: "short", day: "numeric", timeZone: "UTC" },
    long: { dateStyle: "medium", timeZone: "UTC" }
  },
  month: {
    short: { month: "short", year: "2-digit", timeZone: "UTC" },
    long: { month: "long", year: "numeric", timeZone: "UTC" }
  },
  instant: {
    short: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
    long: { hour: "2-digit", minute: "2-digit", second: "2-digit" }
  }
} as const satisfies Record<Per, Record<"short" | "long", Intl.DateTimeFormatOptions>>

/** A time as the axis (`short`) or the table (`long`) shows it. */
export const timeText = (at: number, per: Per, style: "short" | "long"): string =>
  new Date(at).toLocaleString(undefined, styles[per][style])

/** The sum of a series, exact for amounts of up to six decimals. */
export const sumOf = (values: ReadonlyArray<number | null>): number =>
  values.reduce<number>((sum, value) => sum + Math.round((value ?? 0) * 1e6), 0) / 1e6

/** Whether there is nothing to draw: no value, or only zeros where `zeroIsEmpty`. */
export const isEmpty = ({ series }: ChartData, zeroIsEmpty: boolean): boolean =>
  series.every(({ values }) => values.every((value) => value === null || (zeroIsEmpty && value === 0)))
