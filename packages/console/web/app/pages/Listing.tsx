import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { Confirm } from "../../ui/Confirm.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Markdown } from "../../ui/Markdown.tsx"
import { Price } from "../../ui/Money.tsx"
import { Card, Page } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { TrustBadge } from "../../ui/Trust.tsx"
import { base, market } from "../market.ts"
import type { Decision } from "../seller/Appeals.tsx"
import { Appeals } from "../seller/Appeals.tsx"
import { Pictures } from "../seller/Pictures.tsx"
import { listingQuery } from "../seller/queries.ts"
import { ReleaseEntry, whileScanning } from "../seller/ReleaseList.tsx"
import { Reviews } from "../seller/Reviews.tsx"
import { counted, Reason, State } from "../seller/State.tsx"
import { Upload } from "../seller/Upload.tsx"
import { useMore } from "../useMore.ts"

/** The releases, 50 at a time. */
const useReleases = (id: string) =>
  useMore(
    ["releases", id],
    async ({ limit, page }) => (await market.releases.list(id, { limit, page })).releases,
    (releases) => whileScanning(releases)
  )

const Releases = ({ id }: { readonly id: string }) => {
  const client = useQueryClient()
  const query = useReleases(id)
  const renew = () => void client.invalidateQueries({ queryKey: ["releases", id] })
  return (
    <Card title="Releases">
      <Upload listing={id} />
      <Loaded query={query}>
        {(releases) => (
          <>
            {releases.length === 0 ? (
              <p className="mt-4 text-muted">No releases yet. Buyers get the link to install until you upload one.</p>
            ) : null}
            <ul className="mt-2 divide-y divide-line">
              {releases.map((release) => (
                <ReleaseEntry
                  key={release.id}
                  release={release}
                  title={`Version ${release.version}`}
                  yank={(reason) => market.releases.yank(id, release.version, { reason })}
                  rescan={() => market.releases.rescan(id, release.version)}
                  onDone={renew}
                />
              ))}
            </ul>
            <ShowMore query={query} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

type Detail = Awaited<ReturnType<typeof market.listings.get>>

const Facts = ({ listing }: { readonly listing: Detail }) => {
  const { category, currency, delivery, description, longDescription, pendingChanges, price, pricingModel } = listing
  const { rejectionReason, reasonCode, slug, stats, status, trust } = listing
  const changes = Object.keys(pendingChanges ?? {})
  return (
    <Card title="What buyers see">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
          <State of={status} />
          <TrustBadge level={trust} />
          <Price price={String(price)} currency={currency} pricingModel={pricingModel} />
          <span>{category}</span>
          <span>
            {{ release: "sold as a release", link: "sold as a link", license_only: "license only" }[delivery]}
          </span>
          <span className="number">
            {stats.sales} sold, {counted(stats.reviews, "review")}
          </span>
        </p>
        <Reason text={rejectionReason} code={reasonCode} />
        {changes.length === 0 ? null : (
          <p className="text-sm text-warn">Changes that wait for review: {changes.join(", ")}.</p>
        )}
        <p className="wrap-anywhere" dir="auto">
          {description}
        </p>
        {longDescription === null ? null : <Markdown text={longDescription} />}
        {status === "approved" ? (
          <a className="link" href={`${base}/items/${slug}`}>
            Open in the shop
          </a>
        ) : null}
      </div>
    </Card>
  )
}

const Decisions = ({ listing }: { readonly listing: Detail }) => {
  const { data = [] } = useReleases(listing.id)
  const quarantined = data.filter(({ status }) => status === "quarantined")
  const isRefused = listing.status === "rejected" || listing.status === "suspended"
  const decisions: ReadonlyArray<Decision> = [
    ...(isRefused ? [{ version: null, title: `Appeal: this item was ${listing.status}` }] : []),
    ...quarantined.map(({ version }) => ({ version, title: `Appeal: version ${version} was quarantined` }))
  ]
  return <Appeals itemId={listing.id} decisions={decisions} />
}

/** One skill of the seller: its state, releases with verdicts, pictures, appeals and reviews (CONSOLE-22). */
const Listing = () => {
  const { id = "" }: { id?: string } = useParams({ strict: false })
  const client = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery(listingQuery(id))
  return (
    <Loaded query={query} title="Skill">
      {(listing) => (
        <Page
          title={listing.name}
          actions={
            <div className="flex flex-wrap gap-3">
              <Link to={`/items/${id}/edit`} className="button">
                Edit
              </Link>
              <Confirm
                button="Remove"
                title={`Remove ${listing.name}?`}
                danger
                act={() => market.listings.delete(id)}
                onDone={() => {
                  void client.invalidateQueries({ queryKey: ["items"] })
                  void navigate({ to: "/items" })
                }}
              >
                It is taken off sale for good. Licenses that were bought stay valid.
              </Confirm>
            </div>
          }
        >
          <Facts listing={listing} />
          <Decisions listing={listing} />
          <Releases id={id} />
          <Pictures of={{ kind: "listing", key: id }} />
          <Card title="Reviews">
            <Reviews of={{ kind: "listing", key: id }} />
          </Card>
        </Page>
      )}
    </Loaded>
  )
}

export default Listing
