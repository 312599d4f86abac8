import type { ControlledItem } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useState } from "react"
import { inWords } from "../../../ui/inWords.ts"
import { Money } from "../../../ui/Money.tsx"
import { Card, Page } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { base } from "../../market.ts"
import { AccountLink, Facts } from "./Facts.tsx"
import { ItemActs } from "./ItemActs.tsx"
import { Listed } from "./Listed.tsx"
import { operator } from "./operations.ts"

/** The public data of the shop window (SHOP-7); null while the item is not on sale. */
const readPublic = async (id: string): Promise<string | null> => {
  const response = await fetch(`${base}/data/items/${encodeURIComponent(id)}`)
  if (!response.ok) return null
  const { item } = (await response.json()) as { item?: { title?: string } }
  return item?.title ?? null
}

const Releases = ({ item }: { readonly item: ControlledItem }) => (
  <Card title="After your decision">
    <Facts
      rows={[
        ["On sale", item.quarantined ? "Nothing of it" : "Yes, unless it waits for review or is suspended"],
        ["Quarantined because", item.quarantine?.text ?? null],
        ...item.releases.map(
          ({ purgedAt, reason, status, version }) =>
            [
              `Version ${version}`,
              <>
                {inWords(status)}
                {reason?.revoked === true ? ", revoked" : ""}
                {purgedAt === null ? "" : ", purged"}
                {reason === null ? "" : `: ${reason.text}`}
              </>
            ] as const
        )
      ]}
    />
  </Card>
)

const Revocations = ({ id }: { readonly id: string }) => (
  <Listed
    queryKey={["operator", "revocations", id]}
    read={(page) => operator.revocations({ ...page, item: id })}
    refetchInterval={10_000}
    empty={<p className="text-muted">It was never revoked.</p>}
  >
    {({ amount, covered, finishedAt, id: revocation, reason, refundDays, refunded, revokedAt, versions }) => (
      <li key={revocation} className="border-t border-line pt-3">
        <p className="wrap-anywhere" dir="auto">
          {reason}
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          <Time at={revokedAt} exact />
          {versions.length === 0 ? "" : `, versions ${versions.join(", ")}`}.{" "}
          {refundDays === null ? (
            "Without refunds."
          ) : (
            <>
              {refunded} refunds of {refundDays} days, <Money amount={amount} />, of which the platform lent{" "}
              <Money amount={covered} />. {finishedAt === null ? "In progress." : "Done."}
            </>
          )}
        </p>
      </li>
    )}
  </Listed>
)

const Sales = ({ id }: { readonly id: string }) => (
  <Listed
    queryKey={["operator", "purchases", id]}
    read={(page) => operator.purchases({ ...page, item: id })}
    empty={<p className="text-muted">Nobody has bought it.</p>}
  >
    {({ amount, buyerId, id: purchase, purchasedAt, status }) => (
      <li key={purchase} className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3">
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <AccountLink id={buyerId} />
          <span className="badge">{inWords(status)}</span>
        </span>
        <span>
          <Money amount={amount} />{" "}
          <span className="text-sm text-muted">
            <Time at={purchasedAt} exact />
          </span>
        </span>
      </li>
    )}
  </Listed>
)

const Opened = ({ id }: { readonly id: string }) => {
  const [decided, setDecided] = useState<ControlledItem>()
  const { data: name } = useQuery({ queryKey: ["operator", "item", id], queryFn: () => readPublic(id) })
  return (
    <Page
      title={name ?? id}
      lead={
        name === undefined ? undefined : name === null ? (
          "Nothing of it is on sale, or there is no such item."
        ) : (
          <a className="link wrap-anywhere" href={`${base}/items/${encodeURIComponent(id)}`}>
            {id}
          </a>
        )
      }
    >
      {decided === undefined ? null : <Releases item={decided} />}
      <ItemActs id={id} name={name ?? id} onDecided={setDecided} />
      <Card title="Revocations">
        <Revocations id={id} />
      </Card>
      <Card title="Purchases">
        <Sales id={id} />
      </Card>
    </Page>
  )
}

/** One item, and what an operator can do to it (CONSOLE-32). */
const Item = () => {
  const { id = "" } = useParams({ strict: false }) as { id?: string }
  return <Opened key={id} id={id} />
}

export default Item
