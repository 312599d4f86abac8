import { useQueries } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Loaded } from "../../ui/Loaded.tsx"
import { Card, Empty, Page } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { useOwnListings, useOwnSouls } from "../seller/ownItems.ts"
import { soulQuery } from "../seller/queries.ts"
import type { Reviewed } from "../seller/Reviews.tsx"
import { Reviews } from "../seller/Reviews.tsx"
import { counted } from "../seller/State.tsx"

interface Counted {
  readonly name: string
  readonly stats: { readonly rating: number; readonly reviews: number }
}

const Item = ({ item, of, to }: { readonly item: Counted; readonly of: Reviewed; readonly to: string }) => (
  <Card title={item.name}>
    <p className="number text-sm text-muted">
      {item.stats.rating} of 5 in {counted(item.stats.reviews, "review")}.{" "}
      <Link to={to} className="link">
        Open the item
      </Link>
    </p>
    <Reviews of={of} />
  </Card>
)

const isReviewed = ({ stats }: Counted): boolean => stats.reviews > 0

/** What buyers wrote about the seller's items (CONSOLE-28). */
const ReviewsPage = () => {
  const listings = useOwnListings()
  const souls = useOwnSouls()
  // The list of SOULs has no counts; they are in the details.
  const details = useQueries({ queries: (souls.data ?? []).map(({ slug }) => soulQuery(slug)) })
  const reviewedSouls = details.flatMap(({ data }) => (data !== undefined && isReviewed(data) ? [data] : []))
  const isWhole = souls.data !== undefined && details.every(({ isPending }) => !isPending)
  return (
    <Page title="Reviews" lead="What buyers wrote about your items.">
      <Loaded query={listings}>
        {(items) => {
          const reviewed = items.filter(isReviewed)
          return (
            <>
              {isWhole && reviewed.length === 0 && reviewedSouls.length === 0 ? (
                <Empty title="No reviews yet">Buyers can review an item after they bought it.</Empty>
              ) : null}
              {reviewed.map((item) => (
                <Item key={item.id} item={item} of={{ kind: "listing", key: item.id }} to={`/items/${item.id}`} />
              ))}
            </>
          )
        }}
      </Loaded>
      {reviewedSouls.map((soul) => (
        <Item key={soul.id} item={soul} of={{ kind: "soul", key: soul.slug }} to={`/souls/${soul.slug}`} />
      ))}
      <ShowMore query={listings} />
      <ShowMore query={souls} />
    </Page>
  )
}

export default ReviewsPage
