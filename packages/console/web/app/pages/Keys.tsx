import type { IssuedKey, Key } from "@agent-marketplace/client/wire/Endpoints"
import { useState } from "react"
import { Confirm } from "../../ui/Confirm.tsx"
import { More } from "../../ui/More.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { market } from "../market.ts"
import { useRenew } from "../useAct.ts"
import { useMore } from "../useMore.ts"
import { Issued, NewKey } from "./keys/NewKey.tsx"

const Acts = ({ apiKey: { id, name } }: { readonly apiKey: Key }) => {
  const [issued, setIssued] = useState<IssuedKey>()
  const renew = useRenew()
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Confirm
          button="Rotate"
          label={`Rotate ${name}`}
          title={`Rotate ${name}?`}
          quiet
          act={async () => setIssued(await market.keys.rotate(id, {}))}
          onDone={() => void renew("keys")}
        >
          You get a new key with the same scope. The old one works for another day.
        </Confirm>
        <Confirm
          button="Deactivate"
          label={`Deactivate ${name}`}
          title={`Deactivate ${name}?`}
          danger
          act={() => market.keys.deactivate(id)}
          onDone={() => void renew("keys", "session")}
        >
          It is refused at once, for good. Sessions that were started with it end, this one too if it was.
        </Confirm>
      </div>
      {issued === undefined ? null : <Issued issued={issued} />}
    </>
  )
}

const Row = ({ apiKey }: { readonly apiKey: Key }) => {
  const { agentId, createdAt, expiresAt, lastUsedAt, name, prefix, rotationDueAt, scope, status } = apiKey
  const isDue = status === "active" && new Date(rotationDueAt) < new Date()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium wrap-anywhere" dir="auto">
            {name}
          </span>
          <span className="badge">{scope}</span>
          {agentId === null ? null : <span className="badge">Of an agent</span>}
          {status === "active" ? null : <span className="badge text-bad">Deactivated</span>}
          {isDue ? <span className="badge text-warn">Rotate it soon</span> : null}
        </p>
        <p className="text-sm text-muted">
          <code className="font-mono text-[13px]">{prefix}…</code> made <Time at={createdAt} />,{" "}
          {lastUsedAt === null ? (
            "never used"
          ) : (
            <>
              last used <Time at={lastUsedAt} exact />
            </>
          )}
          {expiresAt === null ? null : (
            <>
              , expires <Time at={expiresAt} exact />
            </>
          )}
        </p>
      </div>
      {status === "active" ? <Acts apiKey={apiKey} /> : null}
    </div>
  )
}

/** The keys of the account and its agents (CONSOLE-16). */
const Keys = () => {
  const query = useMore(["keys"], ({ limit, page }) => market.keys.list({ limit, page }))
  return (
    <Page
      title="API keys"
      lead="Programs authenticate with them. Give each program its own, with no more than it needs."
    >
      <NewKey />
      <More
        query={query}
        label="API keys"
        empty={<Empty title="You have no keys">Make one for your first program.</Empty>}
      >
        {(key) => <Row apiKey={key} />}
      </More>
    </Page>
  )
}

export default Keys
