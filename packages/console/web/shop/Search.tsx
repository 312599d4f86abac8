import { useRef } from "react"
import { Frame } from "./Frame.tsx"
import { ItemCards } from "./ItemCard.tsx"
import type { SearchPage } from "./ShopPage.ts"
import { useLiveSearch } from "./useLiveSearch.ts"

const sorts = [
  ["", "Best match"],
  ["popular", "Popular"],
  ["rating", "Best rated"],
  ["price", "Cheapest"],
  ["newest", "Newest"]
] as const

const pricings = [
  ["", "Any"],
  ["free", "Free"],
  ["one_time", "Paid once"],
  ["subscription", "Subscription"]
] as const

const Select = ({
  label,
  name,
  options,
  value
}: {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly options: ReadonlyArray<readonly [string, string]>
}) => (
  <label className="block text-sm font-medium">
    {label}
    <select className="field mt-1" name={name} defaultValue={value}>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

/** The search. Its filters stand in the URL, so that a search can be sent to somebody; results follow them (SHOP-15). */
export const Search = ({ base, page: rendered }: { readonly base: string; readonly page: SearchPage }) => {
  const filters = useRef<HTMLFormElement>(null)
  const { page, show } = useLiveSearch(base, rendered)
  const { categories, items, pages, pictures, query, total } = page
  const search = (q = query.q) => {
    if (filters.current === null) return
    const wanted = new URLSearchParams([...new FormData(filters.current)].map(([name, value]) => [name, String(value)]))
    wanted.set("q", q)
    show(wanted)
  }
  const link = (number: number): string => {
    const given = Object.entries(query).filter(([, value]) => value !== "")
    return `${base}/search?${new URLSearchParams([...given, ["page", String(number)]]).toString()}`
  }
  return (
    <Frame base={base} q={rendered.query.q} onQuery={search}>
      <div className="flex flex-col gap-8 lg:flex-row">
        <form
          ref={filters}
          action={`${base}/search`}
          aria-label="Filters"
          onChange={() => search()}
          className="grid shrink-0 grid-cols-2 content-start gap-4 lg:w-56 lg:grid-cols-1"
        >
          <input type="hidden" name="q" value={query.q} />
          <Select
            label="Category"
            name="category"
            value={query.category}
            options={[["", "All"], ...categories.map(({ name, slug }) => [slug, name] as const)]}
          />
          <Select label="Price" name="pricing" value={query.pricing} options={pricings} />
          <label className="block text-sm font-medium">
            At most (USDT)
            <input className="field mt-1" name="max" inputMode="decimal" defaultValue={query.max} />
          </label>
          <Select label="Order" name="sort" value={query.sort} options={sorts} />
          <button className="button button-primary col-span-2 lg:col-span-1">Apply</button>
        </form>
        <div className="min-w-0 flex-1">
          <h1 className="wrap-anywhere">{query.q === "" ? "All items" : <>Results for “{query.q}”</>}</h1>
          <p className="mt-1 text-muted" role="status">
            {total === 1 ? "1 item" : `${total} items`}
          </p>
          {items.length === 0 ? (
            <div className="card mt-6 p-8 text-center">
              <h2>Nothing matches</h2>
              <p className="mt-2 text-muted">Try fewer words, or remove a filter.</p>
              <a className="button mt-4" href={`${base}/search`}>
                Show all items
              </a>
            </div>
          ) : (
            <>
              <h2 className="sr-only">Items</h2>
              <ItemCards base={base} items={items} pictures={pictures} className="mt-6 xl:grid-cols-3" />
            </>
          )}
          {pages > 1 ? (
            <nav aria-label="Pages" className="mt-6 flex items-center justify-between">
              {page.page > 1 ? (
                <a className="button" rel="prev" href={link(page.page - 1)}>
                  Previous
                </a>
              ) : (
                <span />
              )}
              <span className="number text-muted">
                Page {page.page} of {pages}
              </span>
              {page.page < pages ? (
                <a className="button" rel="next" href={link(page.page + 1)}>
                  Next
                </a>
              ) : (
                <span />
              )}
            </nav>
          ) : null}
        </div>
      </div>
    </Frame>
  )
}
