import type { ReactNode } from "react"
import { readFailure } from "../app/market.ts"
import { Alert, Awaited } from "./Page.tsx"

/** The fields of a query that `Loaded` reads. Single and paged queries both have them. */
export interface LoadedQuery<A> {
  readonly data: A | undefined
  readonly error: Error | null
  readonly isError: boolean
  readonly refetch: () => unknown
}

const Waiting = ({ query }: { readonly query: LoadedQuery<unknown> }) => {
  if (query.isError)
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <Alert>{readFailure(query.error)}</Alert>
        <button type="button" className="button justify-self-start" onClick={() => void query.refetch()}>
          Try again
        </button>
      </div>
    )
  return (
    <p role="status" className="text-muted">
      Loading…
    </p>
  )
}

/** Shows the data of a query, or the loading state or the error. Earlier data stays visible during a refetch. */
export const Loaded = <A,>({
  children,
  query,
  title
}: {
  readonly query: LoadedQuery<A>
  readonly children: (data: A) => ReactNode
  /** Names the page until there are data, if the data make the whole page. */
  readonly title?: string
}) => {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (title === undefined) return <Waiting query={query} />
  return (
    <Awaited title={title}>
      <Waiting query={query} />
    </Awaited>
  )
}
