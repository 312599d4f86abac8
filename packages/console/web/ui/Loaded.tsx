import type { ReactNode } from "react"
import { messageOf } from "../app/market.ts"
import { Alert } from "./Page.tsx"

/** What is needed of a query, whether it reads one page or several. */
export interface LoadedQuery<A> {
  readonly data: A | undefined
  readonly error: Error | null
  readonly isError: boolean
  readonly refetch: () => unknown
}

/** The data of a query, or why it is not there. Older data stays while it is renewed. */
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
