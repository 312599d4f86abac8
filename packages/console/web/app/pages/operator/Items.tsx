import { useInfiniteQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { Field } from "../../../ui/Field.tsx"
import { Loaded } from "../../../ui/Loaded.tsx"
import { Card, Page } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { market } from "../../market.ts"
import { ItemLink } from "./Facts.tsx"
import { Suspended } from "./Suspended.tsx"

const Find = () => {
  const [id, setId] = useState("")
  const navigate = useNavigate()
  return (
    <form
      role="search"
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void navigate({ to: `/operator/items/${encodeURIComponent(id.trim())}` })
      }}
    >
      <div className="min-w-0 basis-60 grow">
        <Field
          label="Id of a listing or SOUL"
          placeholder="lst_… or soul_…"
          required
          pattern="\s*(lst|soul)_[A-Za-z0-9]+\s*"
          title="An id starts with lst_ or soul_."
          autoComplete="off"
          value={id}
          onChange={({ target }) => setId(target.value)}
        />
      </div>
      <button className="button button-primary">Open</button>
    </form>
  )
}

const size = 50

/** The market's advisories, oldest first, as everybody can read them (ADVISORY-3). */
const Advisories = () => {
  const query = useInfiniteQuery({
    queryKey: ["operator", "advisories"],
    queryFn: ({ pageParam }) =>
      market.advisories.list({ limit: size, ...(pageParam === "" ? {} : { after: pageParam }) }),
    initialPageParam: "",
    getNextPageParam: (last) => (last.length < size ? undefined : last.at(-1)?.id)
  })
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const advisories = pages.flat()
        if (advisories.length === 0)
          return (
            <p className="text-muted">
              None. Revoking an item publishes one, and so does quarantining one that was sold.
            </p>
          )
        return (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
              {advisories.map(({ action, id, itemId, publishedAt, reason, severity, versions }) => (
                <li key={id} className="border-t border-line pt-3">
                  <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
                    <span className={`badge ${severity === "info" ? "" : "text-bad"}`}>{severity}</span>
                    {action === "remove" ? <span className="badge text-bad">Remove copies</span> : null}
                    <Time at={publishedAt} exact /> <ItemLink id={itemId} />
                    {versions.length === 0 ? null : <span className="wrap-anywhere">{versions.join(", ")}</span>}
                  </p>
                  <p className="wrap-anywhere" dir="auto">
                    {reason}
                  </p>
                </li>
              ))}
            </ul>
            {query.hasNextPage ? (
              <button
                type="button"
                className="button justify-self-center"
                disabled={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                Show more
              </button>
            ) : null}
          </div>
        )
      }}
    </Loaded>
  )
}

/** Opens an item by its id, and shows the advisories (CONSOLE-32). */
const Items = () => (
  <Page
    title="Items of all sellers"
    lead="Open a listing or SOUL to quarantine, release, revoke or purge it, or restore a suspended one."
  >
    <Find />
    <Card title="Suspended">
      <Suspended />
    </Card>
    <Card title="Advisories">
      <Advisories />
    </Card>
  </Page>
)

export default Items
