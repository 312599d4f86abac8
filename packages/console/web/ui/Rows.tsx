import type { ReactNode } from "react"
import { memo } from "react"

interface Identified {
  readonly id: string
}

/** Rows that the browser lays out together, or leaves out together while they are far from the screen. */
const size = 50

const chunksOf = <A,>(records: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(records.length / size) }, (_, n) => records.slice(n * size, (n + 1) * size))

interface ChunkProps {
  readonly records: ReadonlyArray<Identified>
  readonly className: string
  readonly row: string
  readonly children: (record: never) => ReactNode
}

const isSame = (before: ChunkProps, after: ChunkProps): boolean =>
  before.className === after.className &&
  before.records.length === after.records.length &&
  before.records.every((record, n) => record === after.records[n])

const Chunk = memo(
  ({ children, className, records, row }: ChunkProps) => (
    <div role="none" className={className}>
      {records.map((record) => (
        <div key={record.id} role="listitem" className={row}>
          {children(record as never)}
        </div>
      ))}
    </div>
  ),
  isSame
)

/**
 * A list that may have many thousand rows (CONSOLE-99). The browser skips layout and painting of rows that are far from the screen, while
 * search in the page, keyboard and screen readers find all of them. A chunk of rows is rendered again only if its records change, so
 * `children` must not depend on anything else that changes.
 */
export const Rows = <A extends Identified>({
  between,
  children,
  className = "",
  label,
  records,
  row
}: {
  readonly records: ReadonlyArray<A>
  /** The name of the list. */
  readonly label: string
  readonly className?: string
  /** The classes that set rows apart. */
  readonly between: string
  /** The classes of each row. */
  readonly row: string
  readonly children: (record: A) => ReactNode
}) => (
  <div role="list" className={`${className} ${between}`} aria-label={label}>
    {chunksOf(records).map((chunk, n, all) => (
      <Chunk key={n} records={chunk} className={all.length > 1 ? `rows ${between}` : between} row={row}>
        {children}
      </Chunk>
    ))}
  </div>
)
