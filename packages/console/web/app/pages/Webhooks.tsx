import type { Webhook } from "@agent-marketplace/client/wire/Endpoints"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { Fold } from "../../ui/Form.tsx"
import { More } from "../../ui/More.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { market } from "../market.ts"
import { useAct } from "../useAct.ts"
import { useMore } from "../useMore.ts"
import type { Endpoint } from "./webhooks/EndpointForm.tsx"
import { EndpointForm } from "./webhooks/EndpointForm.tsx"
import { summaryOf } from "./webhooks/events.ts"
import { Outcomes } from "./webhooks/Outcomes.tsx"
import { Secret } from "./webhooks/Secret.tsx"
import { StatusBadge } from "./webhooks/StatusBadge.tsx"

const Add = () => {
  // Another key empties the form.
  const [count, setCount] = useState(0)
  const { data, error, isPending, mutate } = useAct((input: Endpoint) => market.webhooks.create(input), "webhooks")
  return (
    <Fold title="Add an endpoint">
      <EndpointForm
        key={count}
        button="Add the endpoint"
        error={error}
        isPending={isPending}
        save={(input) => mutate(input, { onSuccess: () => setCount(count + 1) })}
      />
      {data?.secret === undefined ? null : <Secret secret={data.secret} />}
    </Fold>
  )
}

const Row = ({ webhook: { createdAt, events, id, status, url } }: { readonly webhook: Webhook }) => (
  <div className="flex flex-wrap items-center justify-between gap-3">
    <div className="min-w-0 flex-1 basis-40">
      <Link to={`/webhooks/${id}`} className="link font-medium wrap-anywhere" dir="ltr">
        {url}
      </Link>
      <p className="text-sm text-muted wrap-anywhere">
        {summaryOf(events)}, since <Time at={createdAt} />
      </p>
    </div>
    <StatusBadge status={status} />
  </div>
)

/** The endpoints that get the events of the account (CONSOLE-18, CONSOLE-97). */
const Webhooks = () => {
  const query = useMore(["webhooks"], ({ limit, page }) => market.webhooks.list({ limit, page }))
  return (
    <Page title="Webhooks" lead="The market sends the events of your account to these endpoints, as signed requests.">
      <Add />
      <More
        query={query}
        label="Endpoints"
        empty={
          <Empty title="You have no endpoints">
            An endpoint is an address of your server. When something happens, such as a purchase or a deposit, the
            market sends a request there. Add the first one above.
          </Empty>
        }
      >
        {(webhook) => <Row webhook={webhook} />}
      </More>
      {query.data === undefined || query.data.length === 0 ? null : <Outcomes />}
    </Page>
  )
}

export default Webhooks
