import type { QueryKey } from "@tanstack/react-query"
import { useInfiniteQuery } from "@tanstack/react-query"

/** A page of a list. */
export interface Place {
  readonly page: number
  readonly limit: number
  /** The id of the last record so far. */
  readonly after: string | undefined
}

const limit = 50

/** A list in pages of 50. A record that moved to the next page meanwhile is shown once. */
export const useMore = <A extends { readonly id: string }>(
  queryKey: QueryKey,
  read: (place: Place) => Promise<ReadonlyArray<A>>
) =>
  useInfiniteQuery({
    queryKey: [...queryKey, "pages"],
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: { page: 1, limit, after: undefined } as Place,
    getNextPageParam: (last, all) =>
      last.length < limit ? undefined : { page: all.length + 1, limit, after: last.at(-1)?.id },
    select: ({ pages }): ReadonlyArray<A> => [...new Map(pages.flat().map((record) => [record.id, record])).values()]
  })
