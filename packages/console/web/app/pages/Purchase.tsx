import type { Purchase as Record } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { Copy } from "../../ui/Copy.tsx"
import { Facts } from "../../ui/Form.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Money } from "../../ui/Money.tsx"
import { Card, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { market } from "../market.ts"
import { Activations } from "./purchases/Activations.tsx"
import { Install } from "./purchases/Install.tsx"

const states = {
  pending: "Waits for your approval",
  completed: "Completed",
  refunded: "Refunded",
  failed: "Not approved"
} as const

const licenses = { perpetual: "For good", subscription: "While the subscription runs", free: "Free" } as const

/** The key stays hidden until somebody asks for it. */
const License = ({ purchase: { licenseKey, skill } }: { readonly purchase: Record }) => {
  const [shown, setShown] = useState(false)
  if (licenseKey === null) return null
  return (
    <Card title="License">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {shown ? (
          <Copy label="license key" text={licenseKey} />
        ) : (
          <button type="button" className="button justify-self-start" onClick={() => setShown(true)}>
            Show license key
          </button>
        )}
        <Install slug={skill.slug} />
      </div>
    </Card>
  )
}

const Details = ({ purchase }: { readonly purchase: Record }) => {
  const { agentId, amount, id, isValid, licenseKey, licenseType, purchasedAt, skill, status } = purchase
  return (
    <Page title={skill.name} lead={skill.description}>
      <Card title="Purchase">
        <Facts
          facts={[
            ["Price", <Money key="price" amount={amount} />],
            ["Bought", <Time key="time" at={purchasedAt} exact />],
            [
              "From",
              <span key="from" dir="auto">
                {skill.creator}
              </span>
            ],
            [
              "By",
              agentId === null ? (
                "you"
              ) : (
                <Link key="by" to={`/agents/${agentId}`} className="link">
                  an agent
                </Link>
              )
            ],
            ["State", states[status]],
            ["License", isValid ? licenses[licenseType] : "Not valid"]
          ]}
        />
        {status === "completed" && amount > 0 ? (
          <p className="mt-4 text-sm text-muted">
            The seller can refund it for 14 days, the operator for 180. Ask them; it is not done from here.
          </p>
        ) : null}
      </Card>
      <License purchase={purchase} />
      {licenseKey === null ? null : <Activations id={id} licenseKey={licenseKey} />}
    </Page>
  )
}

/** One purchase: license key on demand, machines, how to install (CONSOLE-14). */
const Purchase = () => {
  const { id = "" } = useParams({ strict: false }) as { readonly id?: string }
  const query = useQuery({ queryKey: ["purchases", id], queryFn: () => market.purchases.get(id) })
  return (
    <Loaded query={query} title="Purchase">
      {(purchase) => <Details key={id} purchase={purchase} />}
    </Loaded>
  )
}

export default Purchase
