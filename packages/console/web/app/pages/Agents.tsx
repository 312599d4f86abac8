import type { Agent } from "@agent-marketplace/client/wire/Endpoints"
import { Link } from "@tanstack/react-router"
import { More } from "../../ui/More.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { market } from "../market.ts"
import { useMore } from "../useMore.ts"
import { ClaimAgent, MakeAgent } from "./agents/AddAgent.tsx"
import { Freeze } from "./agents/Freeze.tsx"

const Row = ({ agent }: { readonly agent: Agent }) => (
  <div className="flex flex-wrap items-center justify-between gap-3">
    <div className="min-w-0 flex-1 basis-40">
      <p className="font-medium wrap-anywhere">
        <Link to={`/agents/${agent.id}`} className="link" dir="auto">
          {agent.name}
        </Link>{" "}
        {agent.retiredAt === null ? null : <span className="badge">Retired</span>}
        {agent.frozenAt === null ? null : <span className="badge text-bad">Frozen</span>}
      </p>
      <p className="text-sm text-muted">
        {agent.source === "oauth" ? "Made for an application, " : ""}since <Time at={agent.createdAt} />
      </p>
    </div>
    {agent.retiredAt === null ? <Freeze agent={agent} /> : null}
  </div>
)

/** The agents of the account (CONSOLE-12). */
const Agents = () => {
  const query = useMore(["agents"], ({ limit, page }) => market.agents.list({ limit, page }))
  return (
    <Page title="Agents" lead="The programs that buy and sell with keys of their own, from your wallet.">
      <More
        query={query}
        label="Agents"
        empty={
          <Empty title="You have no agents yet">
            Make one here, or claim one that registered itself. Then give it limits and a key.
          </Empty>
        }
      >
        {(agent) => <Row agent={agent} />}
      </More>
      <MakeAgent />
      <ClaimAgent />
    </Page>
  )
}

export default Agents
