import { useQuery } from "@tanstack/react-query"
import { Loaded } from "../../ui/Loaded.tsx"
import { Card, Page } from "../../ui/Page.tsx"
import { market } from "../market.ts"
import { BudgetLeft } from "./agents/BudgetLeft.tsx"
import { PolicyForm } from "./agents/PolicyForm.tsx"

/** The policy of the account, which applies to all its agents (CONSOLE-12). */
const Limits = () => {
  const policy = useQuery({ queryKey: ["policy"], queryFn: () => market.wallet.policy.get() })
  const budget = useQuery({ queryKey: ["budget", null], queryFn: () => market.wallet.budget() })
  return (
    <Page title="Limits" lead="They apply to you and all your agents together. An agent's own limits come on top.">
      <Card title="Budget left">
        <Loaded query={budget}>{(left) => <BudgetLeft budget={left} />}</Loaded>
      </Card>
      <Card title="Limits of the account">
        <Loaded query={policy}>
          {(current) => <PolicyForm policy={current} save={(input) => market.wallet.policy.set(input)} />}
        </Loaded>
      </Card>
    </Page>
  )
}

export default Limits
