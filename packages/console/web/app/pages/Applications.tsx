import type { Grant } from "@agent-marketplace/client/wire/Endpoints"
import { Link } from "@tanstack/react-router"
import { Confirm } from "../../ui/Confirm.tsx"
import { More } from "../../ui/More.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { market } from "../market.ts"
import { useRenew } from "../useAct.ts"
import { useMore } from "../useMore.ts"

const can = { read: "read", buy: "buy within its limits", sell: "publish and sell" } as const

const Row = ({ grant: { agentId, client, createdAt, id, lastUsedAt, scopes } }: { readonly grant: Grant }) => {
  const renew = useRenew()
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium wrap-anywhere" dir="auto">
          {client.name}
        </p>
        <p className="text-sm text-muted">
          May {scopes.map((scope) => can[scope]).join(", ")}. Since <Time at={createdAt} />,{" "}
          {lastUsedAt === null ? (
            "never used"
          ) : (
            <>
              last used <Time at={lastUsedAt} exact />
            </>
          )}
          .{" "}
          <Link to={`/agents/${agentId}`} className="link" aria-label={`Limits of ${client.name}`}>
            Limits
          </Link>
        </p>
      </div>
      <Confirm
        button="Revoke"
        label={`Revoke ${client.name}`}
        title={`Revoke the access of ${client.name}?`}
        danger
        act={() => market.oauth.grants.end(id)}
        onDone={() => void renew("grants", "agents")}
      >
        Its tokens stop working at once. It can ask for access again.
      </Confirm>
    </div>
  )
}

/** The applications that act for the account, by OAuth (CONSOLE-13). */
const Applications = () => {
  const query = useMore(["grants"], ({ limit, page }) => market.oauth.grants.list({ limit, page }))
  return (
    <Page
      title="Applications"
      lead="Programs to which you gave access. Their names are what they call themselves, and are not verified."
    >
      <More
        query={query}
        label="Applications"
        empty={
          <Empty title="No application has access">
            An application that wants to act for you leads you to a page of this market, where you agree or refuse.
          </Empty>
        }
      >
        {(grant) => <Row grant={grant} />}
      </More>
    </Page>
  )
}

export default Applications
