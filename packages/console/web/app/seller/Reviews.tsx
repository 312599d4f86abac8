import type { Review } from "@agent-marketplace/client/wire/Endpoints"
import { Loaded } from "../../ui/Loaded.tsx"
import { Rows } from "../../ui/Rows.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Time } from "../../ui/Time.tsx"
import { market } from "../market.ts"
import type { Place } from "../useMore.ts"
import { useMore } from "../useMore.ts"

/** An own item, which has its reviews. */
export interface Reviewed {
  readonly kind: "listing" | "soul"
  /** The id of a listing, or the slug of a SOUL. */
  readonly key: string
}

const load = async ({ key, kind }: Reviewed, { limit, page }: Place): Promise<ReadonlyArray<Review>> =>
  kind === "soul"
    ? market.souls.reviews(key, { page, limit })
    : (await market.listings.reviews(key, { page, limit })).reviews

/** What buyers wrote about an own item, newest first (CONSOLE-28). */
export const Reviews = ({ of }: { readonly of: Reviewed }) => {
  const query = useMore(["reviews", of.kind, of.key], (place) => load(of, place))
  return (
    <>
      <Loaded query={query}>
        {(reviews) =>
          reviews.length === 0 ? (
            <p className="text-muted">No reviews yet. Buyers write them after a purchase.</p>
          ) : (
            <Rows records={reviews} label="Reviews" between="divide-y divide-line" row="grid gap-1 py-3 wrap-anywhere">
              {({ author, comment, rating, updatedAt }) => (
                <>
                  <p className="text-sm text-muted">
                    <span className="number font-semibold text-ink">{rating} of 5</span> by{" "}
                    <span dir="auto">{author}</span>, <Time at={updatedAt} />
                  </p>
                  {comment === null ? null : <p dir="auto">{comment}</p>}
                </>
              )}
            </Rows>
          )
        }
      </Loaded>
      <ShowMore query={query} />
    </>
  )
}
