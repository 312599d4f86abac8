import type { QueryKey } from "@tanstack/react-query"
import { useInfiniteQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Loaded } from "../../../ui/Loaded.tsx"

const size = 50

/** A list of the operator, fifty records at a time. */
export const Listed = <A,>({
  children,
  empty,
  queryKey,
  read,
  refetchInterval = false
}: {
  readonly queryKey: QueryKey
  readonly read: (page: { readonly page: number; readonly limit: number }) => Promise<ReadonlyArray<A>>
  /** Takes the place of an empty list. */
  readonly empty: ReactNode
  /** Each record as a list item. */
  readonly children: (record: A) => ReactNode
  readonly refetchInterval?: number | false
}) => {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read({ page: pageParam, limit: size }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.length < size ? undefined : all.length + 1),
    refetchInterval
  })
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const records = pages.flat()
        if (records.length === 0) return empty
        return (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <ul className="each-row grid grid-cols-[minmax(0,1fr)] gap-3">{records.map(children)}</ul>
            {query.hasNextPage ? (
              <button
                type="button"
                className="button justify-self-center"
                disabled={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {query.isFetchingNextPage ? "One moment…" : "Show more"}
              </button>
            ) : null}
          </div>
        )
      }}
    </Loaded>
  )
}
