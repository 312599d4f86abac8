import type { Endpoints } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { Confirm } from "../../ui/Confirm.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Price } from "../../ui/Money.tsx"
import { Card, Page } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { TrustBadge } from "../../ui/Trust.tsx"
import { base, market } from "../market.ts"
import { Appeals } from "../seller/Appeals.tsx"
import { Pictures } from "../seller/Pictures.tsx"
import { soulQuery } from "../seller/queries.ts"
import { ReleaseEntry, whileScanning } from "../seller/ReleaseList.tsx"
import { Reviews } from "../seller/Reviews.tsx"
import { counted, Reason, State } from "../seller/State.tsx"
import { useMore } from "../useMore.ts"

type Detail = Endpoints["GET /api/souls/:slug"]["data"]["soul"]

/** The versions, 50 at a time. */
const useVersions = (slug: string) =>
  useMore(
    ["releases", slug],
    async ({ limit, page }) =>
      (await market.souls.versions(slug, { limit, page })).map((each) => ({ ...each, id: String(each.version) })),
    (versions) => whileScanning(versions.map(({ release }) => release))
  )

const Versions = ({ slug }: { readonly slug: string }) => {
  const client = useQueryClient()
  const renew = () => {
    void client.invalidateQueries({ queryKey: ["releases", slug] })
    void client.invalidateQueries({ queryKey: ["items"] })
  }
  const query = useVersions(slug)
  return (
    <Card title="Versions">
      <Loaded query={query}>
        {(versions) => (
          <ul className="divide-y divide-line">
            {versions.map(({ current, release, version }) =>
              release === null ? (
                <li key={version} className="py-4 text-muted">
                  Version {version} was never scanned.
                </li>
              ) : (
                <ReleaseEntry
                  key={version}
                  release={release}
                  title={`Version ${version}`}
                  yank={(reason) => market.souls.yankVersion(slug, version, { reason })}
                  rescan={() => market.souls.rescanVersion(slug, version)}
                  onDone={renew}
                >
                  {current ? <span className="badge">Shown and sold</span> : null}
                </ReleaseEntry>
              )
            )}
          </ul>
        )}
      </Loaded>
      <ShowMore query={query} />
    </Card>
  )
}

const Facts = ({ soul }: { readonly soul: Detail }) => {
  const { category, description, downloads, price, reasonCode, slug, stats, suspensionReason, trust, visibility } = soul
  const isSuspended = (suspensionReason ?? null) !== null
  return (
    <Card title="What buyers see">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
          {visibility === undefined ? null : <State of={visibility} />}
          {isSuspended ? <State of="suspended" /> : null}
          <TrustBadge level={trust} />
          <Price price={price} currency="USDC" pricingModel="one_time" />
          <span>{category}</span>
          <span className="number">
            {stats.sales} sold, {counted(downloads, "download")}
          </span>
        </p>
        <Reason text={suspensionReason} code={reasonCode} />
        <p className="wrap-anywhere" dir="auto">
          {description}
        </p>
        {visibility === "public" && !isSuspended ? (
          <a className="link" href={`${base}/items/${slug}`}>
            Open in the shop
          </a>
        ) : null}
      </div>
    </Card>
  )
}

const Decisions = ({ soul }: { readonly soul: Detail }) => {
  const { data = [] } = useVersions(soul.slug)
  const isSuspended = (soul.suspensionReason ?? null) !== null
  const quarantined = data.flatMap(({ release, version }) =>
    release?.status === "quarantined"
      ? [{ version: release.version, title: `Appeal: version ${version} was quarantined` }]
      : []
  )
  const suspended = isSuspended ? [{ version: null, title: "Appeal: this SOUL was suspended" }] : []
  return <Appeals itemId={soul.id} decisions={[...suspended, ...quarantined]} />
}

/** One SOUL of the seller: its state, versions with verdicts, pictures, appeals and reviews (CONSOLE-22). */
const Soul = () => {
  const { slug = "" }: { slug?: string } = useParams({ strict: false })
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <Loaded query={useQuery(soulQuery(slug))} title="SOUL">
      {(soul) => (
        <Page
          title={soul.name}
          actions={
            <div className="flex flex-wrap gap-3">
              <Link to={`/souls/${slug}/edit`} className="button">
                Edit
              </Link>
              <Confirm
                button="Remove"
                title={`Remove ${soul.name}?`}
                danger
                act={() => market.souls.delete(slug)}
                onDone={() => {
                  void client.invalidateQueries({ queryKey: ["items"] })
                  void navigate({ to: "/items" })
                }}
              >
                It is taken off lists and off sale for good. License holders can still read it.
              </Confirm>
            </div>
          }
        >
          <Facts soul={soul} />
          <Decisions soul={soul} />
          <Versions slug={slug} />
          <Pictures of={{ kind: "soul", key: slug }} />
          <Card title="Reviews">
            <Reviews of={{ kind: "soul", key: slug }} />
          </Card>
        </Page>
      )}
    </Loaded>
  )
}

export default Soul
