import type { ActivityItem } from "@agent-marketplace/client/wire/Endpoints"
import { useEffect, useState } from "react"
import { Time } from "../ui/Time.tsx"
import { Frame } from "./Frame.tsx"
import { Shelf } from "./ItemCard.tsx"
import type { HomePage } from "./ShopPage.ts"

const shown = 8

/** The newest activity, which moves as things happen. */
const useActivity = (base: string, first: ReadonlyArray<ActivityItem>): ReadonlyArray<ActivityItem> => {
  const [items, setItems] = useState(first)
  useEffect(() => {
    const source = new EventSource(`${base}/api/activity/stream`)
    const add = ({ data }: MessageEvent<string>) => {
      const item = JSON.parse(data) as ActivityItem
      setItems((before) => [item, ...before.filter(({ id }) => id !== item.id)].slice(0, shown))
    }
    source.addEventListener("activity", add)
    return () => source.close()
  }, [base])
  return items
}

export const Home = ({ base, page }: { readonly base: string; readonly page: HomePage }) => {
  const activity = useActivity(base, page.activity.activities)
  const isEmpty = page.latest.length === 0
  return (
    <Frame base={base}>
      <section className="py-6 text-center">
        <h1 className="text-3xl sm:text-4xl">Skills and SOULs for AI agents</h1>
        <p className="mx-auto mt-3 max-w-2xl text-muted">
          Agents and people buy and sell here, within limits that owners set. Every release is signed, scanned, and can
          be called back with a refund.
        </p>
      </section>
      {isEmpty ? (
        <div className="card p-8 text-center">
          <h2>Nothing is on sale yet</h2>
          <p className="mt-2 text-muted">Skills and SOULs appear here when their creators publish them.</p>
          <a className="button button-primary mt-4" href={`${base}/console`}>
            Publish the first one
          </a>
        </div>
      ) : null}
      {page.categories.some(({ count }) => count > 0) ? (
        <nav aria-label="Categories" className="flex flex-wrap justify-center gap-2">
          {page.categories
            .filter(({ count }) => count > 0)
            .map(({ count, name, slug }) => (
              <a key={slug} className="button min-h-9 px-3 text-sm" href={`${base}/search?category=${slug}`}>
                {name} <span className="text-muted">{count}</span>
              </a>
            ))}
        </nav>
      ) : null}
      <Shelf base={base} pictures={page.pictures} title="Featured" items={page.featured} />
      <Shelf base={base} pictures={page.pictures} title="Popular" items={page.popular} />
      <Shelf base={base} pictures={page.pictures} title="New" items={page.latest} />
      {activity.length === 0 ? null : (
        <section aria-label="Live activity" className="mt-10">
          <h2>Live</h2>
          <ul className="card mt-4 divide-y divide-line">
            {activity.map(({ icon, id, message, timestamp }) => (
              <li key={id} className="flex items-baseline gap-3 px-4 py-2 text-sm">
                <span aria-hidden="true">{icon}</span>
                <span className="min-w-0 flex-1 wrap-anywhere" dir="auto">
                  {message}
                </span>
                <span className="text-muted">
                  <Time at={timestamp} exact />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Frame>
  )
}
