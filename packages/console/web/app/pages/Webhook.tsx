import type { Webhook as Endpoint } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { Confirm } from "../../ui/Confirm.tsx"
import { Fold } from "../../ui/Form.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Alert, Notice, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { market, messageOf } from "../market.ts"
import { useAct, useRenew } from "../useAct.ts"
import { Deliveries } from "./webhooks/Deliveries.tsx"
import type { Endpoint as Changes } from "./webhooks/EndpointForm.tsx"
import { EndpointForm } from "./webhooks/EndpointForm.tsx"
import { summaryOf } from "./webhooks/events.ts"
import { Outcomes } from "./webhooks/Outcomes.tsx"
import { Secret } from "./webhooks/Secret.tsx"
import { StatusBadge } from "./webhooks/StatusBadge.tsx"
import { TestEvent } from "./webhooks/TestEvent.tsx"

const Edit = ({ webhook }: { readonly webhook: Endpoint }) => {
  const { data, error, isPending, mutate } = useAct(
    (changes: Changes) => market.webhooks.update(webhook.id, changes),
    "webhooks"
  )
  return (
    <Fold title="Change address or events">
      <EndpointForm
        before={webhook as Changes}
        button="Save"
        error={error}
        isPending={isPending}
        save={(changes) => mutate(changes)}
      />
      {data === undefined ? null : <Notice>The endpoint is saved.</Notice>}
    </Fold>
  )
}

/** Pausing needs no confirmation: it loses nothing, and the same button undoes it. */
const Pause = ({ webhook: { id, status } }: { readonly webhook: Endpoint }) => {
  const isActive = status === "active"
  const { error, isPending, mutate } = useAct(
    () => market.webhooks.update(id, { status: isActive ? "disabled" : "active" }),
    "webhooks",
    "deliveries"
  )
  return (
    <>
      <button type="button" className="button" disabled={isPending} onClick={() => mutate(undefined)}>
        {isActive ? "Pause" : "Resume"}
      </button>
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
    </>
  )
}

const Acts = ({ webhook }: { readonly webhook: Endpoint }) => {
  const [secret, setSecret] = useState<string>()
  const renew = useRenew()
  const navigate = useNavigate()
  const { id, status } = webhook
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-start gap-3">
        {status === "active" ? <TestEvent id={id} /> : null}
        <Pause webhook={webhook} />
        <Confirm
          quiet
          button="Rotate secret"
          title="Rotate the secret?"
          act={async () => setSecret((await market.webhooks.rotateSecret(id)).secret)}
        >
          You get a new secret. For 24 hours, requests are signed with both, so that your server can change over.
        </Confirm>
        <Confirm
          quiet
          button="Delete"
          title="Delete this endpoint?"
          danger
          act={() => market.webhooks.delete(id)}
          onDone={() => {
            void renew("webhooks")
            void navigate({ to: "/webhooks" })
          }}
        >
          Its log is deleted, and events that wait for it are not sent. This cannot be undone.
        </Confirm>
      </div>
      {secret === undefined ? null : <Secret secret={secret} />}
    </div>
  )
}

/** One endpoint, and the log of its deliveries (CONSOLE-18, CONSOLE-97). */
const Webhook = () => {
  const { id = "" } = useParams({ strict: false })
  const query = useQuery({ queryKey: ["webhooks", id], queryFn: () => market.webhooks.get(id) })
  return (
    <Loaded query={query} title="Webhook">
      {(webhook) => (
        <Page
          title={webhook.url}
          lead={
            <span className="flex flex-wrap items-center gap-2">
              <StatusBadge status={webhook.status} />
              <span>
                {summaryOf(webhook.events)}, since <Time at={webhook.createdAt} />
              </span>
            </span>
          }
        >
          {webhook.status === "active" ? null : (
            <p className="rounded-lg border border-warn p-3 text-warn">
              Nothing is sent: it was paused here, or your server responded 410, or failed for five days. Events are
              kept for 30 days. Resume it, then send them again below.
            </p>
          )}
          <Acts webhook={webhook} />
          <Edit webhook={webhook} />
          <Outcomes id={webhook.id} />
          <Deliveries webhook={webhook} />
        </Page>
      )}
    </Loaded>
  )
}

export default Webhook
