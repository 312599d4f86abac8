import type { Agent as Record } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useState } from "react"
import { Confirm } from "../../ui/Confirm.tsx"
import { Field } from "../../ui/Field.tsx"
import { Fold, Form } from "../../ui/Form.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Money } from "../../ui/Money.tsx"
import { Card, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { market } from "../market.ts"
import { useAct, useRenew } from "../useAct.ts"
import { BudgetLeft } from "./agents/BudgetLeft.tsx"
import { Freeze } from "./agents/Freeze.tsx"
import { PolicyForm } from "./agents/PolicyForm.tsx"

/** What the agent has spent so far. */
const Spent = ({ id }: { readonly id: string }) => {
  const query = useQuery({
    queryKey: ["spending", "agent", id],
    queryFn: async () => {
      for await (const each of market.wallet.iterateSpending({ by: "agent" })) if (each.key === id) return each
      return null
    }
  })
  return (
    <Card title="Spent">
      <Loaded query={query}>
        {(spent) =>
          spent === null ? (
            <p className="text-muted">It has bought nothing yet.</p>
          ) : (
            <p>
              <Money amount={spent.amount} /> in {spent.count} {spent.count === 1 ? "payment" : "payments"}
            </p>
          )
        }
      </Loaded>
    </Card>
  )
}

const Rename = ({ agent }: { readonly agent: Record }) => {
  const [name, setName] = useState(agent.name)
  const { error, isPending, issues, mutate } = useAct(
    () => market.agents.rename(agent.id, { name: name.trim() }),
    "agents"
  )
  return (
    <Fold title="Rename or retire">
      <Form button="Rename" error={error} isPending={isPending} onSubmit={() => mutate(undefined)}>
        <Field
          label="Name"
          required
          maxLength={100}
          dir="auto"
          issue={issues.get("name")}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </Form>
      <Retire agent={agent} />
    </Fold>
  )
}

const Retire = ({ agent: { id, name } }: { readonly agent: Record }) => {
  const renew = useRenew()
  return (
    <div>
      <Confirm
        button="Retire"
        title={`Retire ${name} for good?`}
        danger
        act={() => market.agents.retire(id)}
        onDone={() => void renew("agents", "approvals", "keys")}
      >
        Its keys stop working at once, and its purchases that wait are rejected. This cannot be undone.
      </Confirm>
    </div>
  )
}

const Details = ({ agent }: { readonly agent: Record }) => {
  const { createdAt, frozenAt, frozenReason, id, name, retiredAt } = agent
  const policy = useQuery({ queryKey: ["agents", id, "policy"], queryFn: () => market.agents.policy.get(id) })
  const budget = useQuery({ queryKey: ["budget", id], queryFn: () => market.agents.budget(id) })
  return (
    <Page
      title={name}
      lead={
        <>
          <code className="font-mono text-[13px] wrap-anywhere">{id}</code>, since <Time at={createdAt} />
        </>
      }
      actions={retiredAt === null ? <Freeze agent={agent} /> : undefined}
    >
      {frozenAt === null ? null : (
        <p className="rounded-lg border border-bad p-3 text-bad wrap-anywhere">
          Frozen since <Time at={frozenAt} exact />: it can read but change nothing. {frozenReason}
        </p>
      )}
      {retiredAt === null ? null : (
        <p className="rounded-lg border border-line p-3">
          Retired <Time at={retiredAt} exact />. Its keys do not work any more.
        </p>
      )}
      <Spent id={id} />
      {retiredAt === null ? (
        <>
          <Card title="Budget left">
            <Loaded query={budget}>{(left) => <BudgetLeft budget={left} />}</Loaded>
          </Card>
          <Card title="Limits of the agent">
            <Loaded query={policy}>
              {(current) => <PolicyForm policy={current} save={(input) => market.agents.policy.set(id, input)} />}
            </Loaded>
          </Card>
          <Rename agent={agent} />
        </>
      ) : null}
    </Page>
  )
}

/** One agent: limits, what is left of them, freezing and retiring (CONSOLE-12). */
const Agent = () => {
  const { id = "" } = useParams({ strict: false }) as { readonly id?: string }
  const query = useQuery({ queryKey: ["agents", id], queryFn: () => market.agents.get(id) })
  return (
    <Loaded query={query} title="Agent">
      {(agent) => <Details key={id} agent={agent} />}
    </Loaded>
  )
}

export default Agent
