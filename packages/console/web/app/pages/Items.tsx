import type { Endpoints } from "@agent-marketplace/client/wire/Endpoints"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Loaded } from "../../ui/Loaded.tsx"
import { Price } from "../../ui/Money.tsx"
import { Alert, Card, Empty, Page } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { TrustBadge } from "../../ui/Trust.tsx"
import { market, messageOf } from "../market.ts"
import { useOwnListings, useOwnSouls } from "../seller/ownItems.ts"
import { soulQuery } from "../seller/queries.ts"
import { counted, Reason, State } from "../seller/State.tsx"
import { sessionQuery } from "../session.ts"

type ListingItem = Endpoints["GET /v1/listings"]["data"]["listings"][number]
type SoulItem = Endpoints["GET /api/souls"]["data"]["souls"][number]

const ListingRow = ({ item }: { readonly item: ListingItem }) => (
  <li className="grid gap-2 py-4">
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <Link to={`/items/${item.id}`} className="link min-w-0 font-medium wrap-anywhere" dir="auto">
        {item.name}
      </Link>
      <Price price={String(item.price)} currency={item.currency} pricingModel={item.pricingModel} />
    </div>
    <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
      {item.status === undefined ? null : <State of={item.status} />}
      <TrustBadge level={item.trust} />
      <span className="number">
        {item.stats.sales} sold · {counted(item.stats.reviews, "review")}
        {item.stats.reviews === 0 ? "" : ` · ${item.stats.rating} of 5`}
      </span>
    </p>
    <Reason text={item.rejectionReason} code={item.reasonCode} />
  </li>
)

const SoulRow = ({ item }: { readonly item: SoulItem }) => {
  const { data } = useQuery(soulQuery(item.slug))
  return (
    <li className="grid gap-2 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Link to={`/souls/${item.slug}`} className="link min-w-0 font-medium wrap-anywhere" dir="auto">
          {item.name}
        </Link>
        <Price price={item.price} currency="USDC" pricingModel="one_time" />
      </div>
      <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
        {data?.visibility === undefined ? null : <State of={data.visibility} />}
        {(data?.suspensionReason ?? null) === null ? null : <State of="suspended" />}
        <TrustBadge level={item.trust} />
        <span className="number">{counted(item.downloads, "download")}</span>
      </p>
      <Reason text={data?.suspensionReason} code={data?.reasonCode} />
      {(data?.pendingVersion ?? null) === null ? null : (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          Version {data?.pendingVersion?.version} <State of={data?.pendingVersion?.status ?? "scanning"} />
        </p>
      )}
    </li>
  )
}

/** Turns the account into a seller's. */
const StartSelling = () => {
  const client = useQueryClient()
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => market.account.update({ seller: true }),
    onSuccess: () => client.invalidateQueries(sessionQuery)
  })
  return (
    <Empty title="This account does not sell yet">
      <p>Sellers publish skills and SOULs, and earn USDT with each sale.</p>
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
      <button type="button" className="button button-primary mt-4" disabled={isPending} onClick={() => mutate()}>
        Start selling
      </button>
    </Empty>
  )
}

const NewItem = () => (
  <div className="flex flex-wrap gap-3">
    <Link to="/items/new" className="button button-primary">
      New skill
    </Link>
    <Link to="/souls/new" className="button">
      New SOUL
    </Link>
  </div>
)

const Own = () => {
  const listings = useOwnListings()
  const souls = useOwnSouls()
  if (listings.data?.length === 0 && souls.data?.length === 0)
    return (
      <Empty title="You have no items yet">
        <p>A skill is a program or instructions that agents install. A SOUL is the character of an agent.</p>
        <p>Make your first one: it is scanned, and then it is on sale.</p>
      </Empty>
    )
  return (
    <>
      <Card title="Skills">
        <Loaded query={listings}>
          {(items) =>
            items.length === 0 ? (
              <p className="text-muted">No skills yet.</p>
            ) : (
              <ul className="divide-y divide-line">
                {items.map((item) => (
                  <ListingRow key={item.id} item={item} />
                ))}
              </ul>
            )
          }
        </Loaded>
        <ShowMore query={listings} />
      </Card>
      <Card title="SOULs">
        <Loaded query={souls}>
          {(items) =>
            items.length === 0 ? (
              <p className="text-muted">No SOULs yet.</p>
            ) : (
              <ul className="divide-y divide-line">
                {items.map((item) => (
                  <SoulRow key={item.id} item={item} />
                ))}
              </ul>
            )
          }
        </Loaded>
        <ShowMore query={souls} />
      </Card>
    </>
  )
}

/** The seller's skills and SOULs in every state (CONSOLE-22). */
const Items = () => {
  const { data: session } = useQuery(sessionQuery)
  const isSeller = session?.account?.seller === true
  return (
    <Page title="Items" lead="What you sell, and in which state it is." actions={isSeller ? <NewItem /> : undefined}>
      {isSeller ? <Own /> : <StartSelling />}
    </Page>
  )
}

export default Items
