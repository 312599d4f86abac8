import type { QueryKey } from "@tanstack/react-query"
import type { InfiniteData } from "@tanstack/react-query"
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query"

/** A page of a list. */
export interface Place {
  readonly page: number
  readonly limit: number
  /** The id of the last record so far. */
  readonly after: string | undefined
}

const unique = <A extends { readonly id: string }>(records: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...new Map(records.map((record) => [record.id, record])).values()
]

const limit = 50

/** Renewing a list reads so many pages again. */
const renewed = 4

/**
 * A list in pages of 50. A record that moved to the next page meanwhile is shown once. Renewing a long list reads its first 4 pages again and
 * keeps the others, because events would otherwise send hundreds of requests.
 */
export const useMore = <A extends { readonly id: string }>(
  queryKey: QueryKey,
  read: (place: Place) => Promise<ReadonlyArray<A>>,
  /** After how many milliseconds these records are read again; false: not by themselves. */
  renewAfter: (records: ReadonlyArray<A>) => number | false = () => false
) => {
  const client = useQueryClient()
  const key = [...queryKey, "pages"]
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => {
      const { page } = pageParam
      const known = client.getQueryData<InfiniteData<ReadonlyArray<A>>>(key)?.pages ?? []
      const kept = known[page - 1]
      if (page <= renewed || kept === undefined) return read(pageParam)
      // New records move others from the last renewed page to this one.
      return page === renewed + 1 ? unique([...(known[page - 2] ?? []), ...kept]) : kept
    },
    refetchInterval: ({ state }) => renewAfter(state.data?.pages.flat() ?? []),
    initialPageParam: { page: 1, limit, after: undefined } as Place,
    getNextPageParam: (last, all) =>
      last.length < limit ? undefined : { page: all.length + 1, limit, after: last.at(-1)?.id },
    select: ({ pages }): ReadonlyArray<A> => unique(pages.flat())
  })
}
