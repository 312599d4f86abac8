import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Page, PageRequest } from "@agent-marketplace/core/paging/Page"

/** Lists in the order of time. Records are added in the order of creation, which decides between equal times. */
export const Timeline = {
  newestFirst: <A>(records: Iterable<A>, at: (record: A) => Timestamp): Array<A> =>
    Timeline.oldestFirst(records, at).toReversed(),
  oldestFirst: <A>(records: Iterable<A>, at: (record: A) => Timestamp): Array<A> =>
    Array.from(records).sort((a, b) => at(a) - at(b)),
  page: <A>(records: ReadonlyArray<A>, { limit, page }: PageRequest): Page<A> => ({
    items: records.slice((page - 1) * limit, page * limit),
    total: records.length
  })
}
