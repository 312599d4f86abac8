import type { Approval } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { amountText } from "../../ui/amountText.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Money } from "../../ui/Money.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { TrustBadge } from "../../ui/Trust.tsx"
import { base, market } from "../market.ts"

/** Why a purchase waits, and what is left of the budget of who wants to buy. */
const Reason = ({ approval }: { readonly approval: Approval }) => {
  const { agentId } = approval
  const { data } = useQuery({
    queryKey: ["budget", agentId],
    queryFn: () => (agentId === null ? market.wallet.budget() : market.agents.budget(agentId))
  })
  if (data === undefined) return null
  const { autoApproveThreshold, daily } = data
  return (
    <p className="text-sm text-muted">
      {autoApproveThreshold === null ? null : (
        <>
          Purchases above <Money amount={autoApproveThreshold} /> wait for you.{" "}
        </>
      )}
      {daily === null ? null : (
        <>
          <Money amount={daily.remaining} /> of <Money amount={daily.limit} /> are left for 24 hours.
        </>
      )}
    </p>
  )
}

const useAgentName = (agentId: string | null): string => {
  const { data } = useQuery({
    queryKey: ["agents", agentId],
    queryFn: () => market.agents.get(agentId ?? ""),
    enabled: agentId !== null
  })
  return agentId === null ? "You" : (data?.name ?? "An agent")
}

const Waiting = ({ approval }: { readonly approval: Approval }) => {
  const client = useQueryClient()
  const { amount, expiresAt, id, pricingModel, requestedAt, skill } = approval
  const agent = useAgentName(approval.agentId)
  const trust = useQuery({ queryKey: ["trust", skill.id], queryFn: () => market.releases.trust(skill.id) })
  const renew = () => void client.invalidateQueries({ queryKey: ["approvals"] })
  const price = `${amountText(amount)}${pricingModel === "subscription" ? " every 30 days" : ""}`
  return (
    <li className="card grid gap-3 p-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-40">
          <h2 className="wrap-anywhere" dir="auto">
            <a className="text-ink" href={`${base}/items/${skill.slug}`}>
              {skill.name}
            </a>
          </h2>
          <p className="text-sm text-muted wrap-anywhere">
            <span dir="auto">{agent}</span> {approval.agentId === null ? "want" : "wants"} to buy it from{" "}
            <span dir="auto">{skill.creator}</span>.
          </p>
        </div>
        <p className="number text-lg font-semibold">{price}</p>
      </div>
      <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
        <TrustBadge level={trust.data?.level ?? null} />
        <span>
          Requested <Time at={requestedAt} exact />, expires <Time at={expiresAt} exact />
        </span>
      </p>
      <Reason approval={approval} />
      <div className="flex flex-wrap gap-3">
        <Confirm
          button="Approve"
          label={`Approve ${skill.name}`}
          title={`Pay ${price}?`}
          act={() => market.approvals.approve(id)}
          onDone={renew}
        >
          {agent} {approval.agentId === null ? "get" : "gets"} a license of {skill.name}. The amount is held already and
          is paid to {skill.creator}.
        </Confirm>
        <Confirm
          button="Reject"
          label={`Reject ${skill.name}`}
          title="Reject this purchase?"
          danger
          act={() => market.approvals.reject(id)}
          onDone={renew}
        >
          Nothing is bought. The held {amountText(amount)} are available again.
        </Confirm>
      </div>
    </li>
  )
}

/** The purchases that wait for the owner (CONSOLE-4). */
const Inbox = () => {
  const query = useQuery({
    queryKey: ["approvals", "pending"],
    queryFn: () => market.approvals.list({ status: "pending", limit: 100 })
  })
  return (
    <Page title="Inbox" lead="Purchases above the limit that you set wait here until you decide.">
      <Loaded query={query}>
        {(approvals) =>
          approvals.length === 0 ? (
            <Empty title="Nothing waits for you">
              When an agent wants to buy something above its limit, the purchase appears here by itself.
            </Empty>
          ) : (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
              {approvals.map((approval) => (
                <Waiting key={approval.id} approval={approval} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}

export default Inbox
