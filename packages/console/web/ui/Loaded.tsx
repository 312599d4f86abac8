import type { ReactNode } from "react"
import { messageOf } from "../app/market.ts"
import { Alert } from "./Page.tsx"

/** The fields of a query that `Loaded` reads. Single and paged queries both have them. */
export interface LoadedQuery<A> {
  readonly data: A | undefined
  readonly error: Error | null
  readonly isError: boolean
  readonly refetch: () => unknown
}

/** Shows the data of a query, or the loading state or the error. Earlier data stays visible during a refetch. */
export const Loaded = <A,>({
  children,
  query
}: {
  readonly query: LoadedQuery<A>
  readonly children: (data: A) => ReactNode
}) => {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.isError)
    return (
      <div className="grid gap-3">
        <Alert>{messageOf(query.error)}</Alert>
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
