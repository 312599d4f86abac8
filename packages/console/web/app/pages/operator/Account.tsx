import type { AccountOverview } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { inWords } from "../../../ui/inWords.ts"
import { Loaded } from "../../../ui/Loaded.tsx"
import { Money } from "../../../ui/Money.tsx"
import { Card, Page } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { AccountActs } from "./AccountActs.tsx"
import { Decide, DecisionFields, useDecision } from "./Decision.tsx"
import { Facts } from "./Facts.tsx"
import { operator, useRenew } from "./operations.ts"

const Keys = ({ keys }: Pick<AccountOverview, "keys">) => {
  const decision = useDecision()
  const onDone = useRenew()
  if (keys.length === 0) return <p className="text-muted">It has no keys. Recover the account to make one.</p>
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {keys.map(({ id, lastUsedAt, name, prefix, scope, status }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
            <div className="min-w-0">
              <p className="wrap-anywhere" dir="auto">
                {name} <span className="badge">{scope}</span>{" "}
                {status === "active" ? null : <span className="badge">Deactivated</span>}
              </p>
              <p className="text-sm text-muted">
                <code className="font-mono text-[13px]">{prefix}…</code>{" "}
                {lastUsedAt === null ? (
                  "never used"
                ) : (
                  <>
                    last used <Time at={lastUsedAt} exact />
                  </>
                )}
              </p>
            </div>
            {status === "active" ? (
              <Decide
                button="Deactivate"
                label={`Deactivate ${name} (${prefix}…)`}
                title={`Deactivate ${name}?`}
                danger
                optional
                decision={decision}
                act={(reason) => operator.deactivateKey(id, reason === "" ? {} : { reason })}
                onDone={onDone}
              >
                The market refuses the key {prefix}… at once, for good.
              </Decide>
            ) : null}
          </li>
        ))}
      </ul>
      <DecisionFields decision={decision} hint="Optional; it is kept in the action log when you deactivate a key." />
    </div>
  )
}

const Agents = ({ agents }: Pick<AccountOverview, "agents">) =>
  agents.length === 0 ? (
    <p className="text-muted">It has no agents.</p>
  ) : (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {agents.map(({ createdAt, frozenAt, id, name, retiredAt }) => (
        <li key={id} className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere" dir="auto">
            {name}
          </span>
          {frozenAt === null ? null : <span className="badge text-bad">Frozen</span>}
          {retiredAt === null ? null : <span className="badge">Retired</span>}
          <span className="text-sm text-muted">
            since <Time at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  )

const Overview = ({ overview }: { readonly overview: AccountOverview }) => {
  const { account, agents, balance, counts, keys } = overview
  return (
    <>
      <Card title="Overview">
        <Facts
          rows={[
            ["Id", <code className="font-mono text-[13px]">{account.id}</code>],
            ["E-mail address", account.email],
            ["Since", <Time at={account.createdAt} />],
            ["Tier", account.tier],
            ["Seller", account.seller ? "Yes" : "No"],
            ["Operator", account.operator ? "Yes" : null],
            ["Frozen", account.frozenAt === null ? null : <Time at={account.frozenAt} exact />],
            ["Reason", account.frozenReason],
            ...Object.entries(counts).map(
              ([name, count]) => [inWords(name), <span className="number">{count.toLocaleString()}</span>] as const
            )
          ]}
        />
      </Card>
      <Card title="Balance">
        <Facts
          rows={(
            [
              ["Balance", balance.balance],
              ["Available", balance.availableBalance],
              ["Locked", balance.lockedBalance],
              ["Not final yet", balance.pendingBalance],
              ["Deposited", balance.totalDeposits],
              ["Withdrawn", balance.totalWithdrawals],
              ["Spent", balance.totalSpent],
              ["Earned", balance.totalEarned],
              ["Owed to the platform", balance.debt]
            ] as const
          ).map(([name, amount]) => [name, <Money amount={amount} />] as const)}
        />
      </Card>
      <AccountActs overview={overview} />
      <Card title="Keys">
        <Keys keys={keys} />
      </Card>
      <Card title="Agents">
        <Agents agents={agents} />
      </Card>
    </>
  )
}

/** One account as an operator sees it (CONSOLE-31). */
const Account = () => {
  const { id = "" } = useParams({ strict: false }) as { id?: string }
  const query = useQuery({ queryKey: ["operator", "account", id], queryFn: () => operator.account(id) })
  return (
    <Page title={query.data?.account.name ?? "Account"}>
      <Loaded query={query}>{(overview) => <Overview key={id} overview={overview} />}</Loaded>
    </Page>
  )
}

export default Account
