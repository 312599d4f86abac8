import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Page, PageRequest } from "@agent-marketplace/core/paging/Page"

interface Dated {
  readonly id: string
  readonly at: Timestamp
}

const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const oldestFirst = (a: Dated, b: Dated): number => a.at - b.at || compareIds(a.id, b.id)

/** Lists in the order of time; of one moment, in the order of ids. */
export const NewestFirst = {
  sort: <A>(records: Iterable<A>, dated: (record: A) => Dated): Array<A> =>
    NewestFirst.reverse(records, dated).reverse(),
  /** The oldest first. */
  reverse: <A>(records: Iterable<A>, dated: (record: A) => Dated): Array<A> =>
    Array.from(records, (record) => ({ record, ...dated(record) }))
      .sort(oldestFirst)
      .map(({ record }) => record),
  page: <A>(records: ReadonlyArray<A>, { limit, page }: PageRequest): Page<A> => ({
    items: records.slice((page - 1) * limit, page * limit),
    total: records.length
  })
}
