/** A query that reads a list in pages. */
export interface Paged {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => Promise<unknown>
}

/** Loads the next page of a list; nothing after the last one. */
export const ShowMore = ({ query }: { readonly query: Paged }) =>
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
