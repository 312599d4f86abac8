import type { ReactNode } from "react"
import { useId } from "react"
import type { Unit } from "./units.ts"

export interface Bar {
  readonly key: string
  readonly name: ReactNode
  /** At least zero. */
  readonly value: number
  /** Beside the value, for example the number of payments. */
  readonly note?: string
}

const Row = ({
  bar: { name, note, value },
  most,
  unit
}: {
  readonly bar: Bar
  readonly most: number
  readonly unit: Unit
}) => (
  <tr>
    <th scope="row" className="w-full py-1.5 pe-4 text-start align-top font-normal">
      <span className="wrap-anywhere" dir="auto">
        {name}
      </span>
      <svg aria-hidden className="mt-1 block h-2 w-full" preserveAspectRatio="none">
        <rect width="100%" height="100%" rx="2" className="fill-page" />
        <rect width={`${most === 0 ? 0 : (100 * value) / most}%`} height="100%" rx="2" className="fill-chart-1" />
      </svg>
    </th>
    <td className="py-1.5 text-end align-top whitespace-nowrap">
      <span className="font-medium">{unit.text(value)}</span>
      {note === undefined ? null : <span className="block text-sm text-muted">{note}</span>}
    </td>
  </tr>
)

/** Amounts by category, the largest first, as a table whose rows have bars (CONSOLE-36). */
export const BarList = ({
  bars,
  columns,
  empty,
  title,
  unit
}: {
  readonly title: string
  /** The headings of names and values, for screen readers. */
  readonly columns: readonly [name: string, value: string]
  readonly bars: ReadonlyArray<Bar>
  readonly unit: Unit
  /** Shown instead of an empty table: what belongs here. */
  readonly empty: ReactNode
}) => {
  const id = useId()
  const most = Math.max(0, ...bars.map(({ value }) => value))
  return (
    <section aria-labelledby={id} className="card grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3 p-5">
      <h2 id={id}>{title}</h2>
      {bars.length === 0 ? (
        <p className="text-muted">{empty}</p>
      ) : (
        <table aria-labelledby={id} className="number w-full">
          <thead className="sr-only">
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <Row key={bar.key} bar={bar} most={most} unit={unit} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
