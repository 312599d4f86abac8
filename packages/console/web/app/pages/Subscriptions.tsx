import type { Subscription } from "@agent-marketplace/client/wire/Endpoints"
import { amountText } from "../../ui/amountText.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { inWords } from "../../ui/inWords.ts"
import { Money } from "../../ui/Money.tsx"
import { More } from "../../ui/More.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { base, market } from "../market.ts"
import { useRenew } from "../useAct.ts"
import { useMore } from "../useMore.ts"

const Row = ({ subscription }: { readonly subscription: Subscription }) => {
  const { cancelAtPeriodEnd, currency, currentPeriodEnd, id, price, skill, status } = subscription
  const renew = useRenew()
  const end = new Date(currentPeriodEnd).toLocaleDateString()
  const done = () => void renew("subscriptions", "purchases")
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium wrap-anywhere">
          <a className="link" dir="auto" href={`${base}/items/${skill.slug}`}>
            {skill.name}
          </a>{" "}
          {status === "active" ? null : <span className="badge">{inWords(status)}</span>}
        </p>
        <p className="text-sm text-muted">
          <Money amount={price} currency={currency} /> every 30 days,{" "}
          {cancelAtPeriodEnd || status === "cancelled" ? "ends" : "renewed"} <Time at={currentPeriodEnd} />
        </p>
      </div>
      {status === "cancelled" ? null : cancelAtPeriodEnd ? (
        <Confirm
          button="Resume"
          label={`Resume ${skill.name}`}
          title={`Resume ${skill.name}?`}
          quiet
          act={() => market.subscriptions.resume(id)}
          onDone={done}
        >
          On {end} it is renewed again for {amountText(price, currency)}.
        </Confirm>
      ) : (
        <Confirm
          button="Cancel"
          label={`Cancel ${skill.name}`}
          title={`Cancel ${skill.name}?`}
          danger
          act={() => market.subscriptions.cancel(id)}
          onDone={done}
        >
          It stays valid until {end}. Then the {amountText(price, currency)} are not paid again.
        </Confirm>
      )}
    </div>
  )
}

/** What is paid every 30 days, with cancel and resume (CONSOLE-14). */
const Subscriptions = () => {
  const query = useMore(["subscriptions"], ({ limit, page }) => market.subscriptions.list({ limit, page }))
  return (
    <Page title="Subscriptions" lead="What is paid again every 30 days.">
      <More
        query={query}
        label="Subscriptions"
        empty={
          <Empty title="You subscribe to nothing">
            Items that are paid every 30 days appear here. Find them in the{" "}
            <a className="link" href={`${base}/search?pricing=subscription`}>
              shop
            </a>
            .
          </Empty>
        }
      >
        {(subscription) => <Row subscription={subscription} />}
      </More>
    </Page>
  )
}

export default Subscriptions
