import type { ReactNode } from "react"
import { Loaded } from "./Loaded.tsx"
import type { LoadedQuery } from "./Loaded.tsx"
import { Rows } from "./Rows.tsx"
import type { Paged } from "./ShowMore.tsx"
import { ShowMore } from "./ShowMore.tsx"

type Pages<A> = LoadedQuery<ReadonlyArray<A>> & Paged

/** The records of `useMore` in a card, with a button for the next page; `empty` if there are none. */
export const More = <A extends { readonly id: string }>({
  children,
  empty,
  label,
  query
}: {
  readonly query: Pages<A>
  /** The name of the list. */
  readonly label: string
  readonly empty: ReactNode
  readonly children: (record: A) => ReactNode
}) => (
  <Loaded query={query}>
    {(records) =>
      records.length === 0 ? (
        empty
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Rows records={records} label={label} className="card" between="divide-y divide-line" row="px-5 py-3">
            {children}
          </Rows>
          <ShowMore query={query} />
        </div>
      )
    }
  </Loaded>
)
