import type { QueryKey } from "@tanstack/react-query"
import { useInfiniteQuery } from "@tanstack/react-query"

/** Records on a page of a long list. */
export const pageSize = 50

/** A list by pages of 50, of which `ShowMore` loads further ones. The numbers of pages count from 1. */
export const usePages = <A,>(queryKey: QueryKey, load: (page: number) => Promise<ReadonlyArray<A>>) =>
  useInfiniteQuery({
    queryKey,
    initialPageParam: 1,
    queryFn: ({ pageParam }) => load(pageParam),
    getNextPageParam: (last: ReadonlyArray<A>, _all, page) => (last.length < pageSize ? undefined : page + 1),
    select: ({ pages }) => pages.flat()
  })

/** Loads the next page of a list; nothing after the last one. */
export const ShowMore = ({
  query
}: {
  readonly query: Pick<ReturnType<typeof usePages>, "fetchNextPage" | "hasNextPage" | "isFetchingNextPage">
}) =>
  query.hasNextPage ? (
    <button
      type="button"
      className="button justify-self-center"
      disabled={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {query.isFetchingNextPage ? "Loading…" : "Show more"}
    </button>
  ) : null
