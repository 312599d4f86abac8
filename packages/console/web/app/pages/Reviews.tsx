import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Loaded } from "../../ui/Loaded.tsx"
import { Card, Empty, Page } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { useOwnListings, useOwnSouls } from "../seller/ownItems.ts"
import { soulQuery } from "../seller/queries.ts"
import { Reviews } from "../seller/Reviews.tsx"
import { counted } from "../seller/State.tsx"

const ofSoul = ({ slug }: { readonly slug: string }) => `/souls/${slug}`

/** A SOUL's list has no counts; they are in its detail. */
const SoulReviews = ({ name, slug }: { readonly name: string; readonly slug: string }) => {
  const { data } = useQuery(soulQuery(slug))
  if (data === undefined || data.stats.reviews === 0) return null
  return (
    <Card title={name}>
      <Link to={ofSoul({ slug })} className="link text-sm">
        Open the SOUL
      </Link>
      <Reviews of={{ kind: "soul", key: slug }} />
    </Card>
  )
}

/** What buyers wrote about the seller's items (CONSOLE-28). */
const ReviewsPage = () => {
  const listings = useOwnListings()
  const souls = useOwnSouls()
  return (
    <Page title="Reviews" lead="What buyers wrote about your items.">
      <Loaded query={listings}>
        {(items) => {
          const reviewed = items.filter(({ stats }) => stats.reviews > 0)
          return (
            <>
              {reviewed.length === 0 && souls.data?.length === 0 ? (
                <Empty title="No reviews yet">Buyers can review an item after they bought it.</Empty>
              ) : null}
              {reviewed.map(({ id, name, stats }) => (
                <Card key={id} title={name}>
                  <p className="number text-sm text-muted">
                    {stats.rating} of 5 in {counted(stats.reviews, "review")}.{" "}
                    <Link to={`/items/${id}`} className="link">
                      Open the item
                    </Link>
                  </p>
                  <Reviews of={{ kind: "listing", key: id }} />
                </Card>
              ))}
            </>
          )
        }}
      </Loaded>
      {(souls.data ?? []).map(({ name, slug }) => (
        <SoulReviews key={slug} name={name} slug={slug} />
      ))}
      <ShowMore query={listings} />
      <ShowMore query={souls} />
    </Page>
  )
}

export default ReviewsPage
