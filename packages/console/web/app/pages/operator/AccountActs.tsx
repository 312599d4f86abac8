import type { AccountOverview, AdminAccount } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { useState } from "react"
import { amountText } from "../../../ui/amountText.ts"
import { Copy } from "../../../ui/Copy.tsx"
import { SelectField } from "../../../ui/Field.tsx"
import { Card, Notice } from "../../../ui/Page.tsx"
import { Decide, DecisionFields, useDecision } from "./Decision.tsx"
import { operator, useRenew } from "./operations.ts"

const count = (number: number, one: string, several: string): string => `${number} ${number === 1 ? one : several}`

const Freeze = ({ overview: { account, balance, counts } }: { readonly overview: AccountOverview }) => {
  const decision = useDecision()
  const onDone = useRenew()
  return (
    <Card title={account.frozenAt === null ? "Freeze" : "Unfreeze"}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <DecisionFields
          decision={decision}
          hint={
            account.frozenAt === null ? "The account reads it." : "Optional when you unfreeze; kept in the action log."
          }
        />
        <div>
          {account.frozenAt === null ? (
            <Decide
              button="Freeze"
              title={`Freeze ${account.name} with ${amountText(balance.balance)}?`}
              danger
              decision={decision}
              act={(reason) => operator.freeze(account.id, { reason })}
              onDone={onDone}
            >
              It can read, but not buy, sell, renew or withdraw, and neither can its{" "}
              {count(counts.agents, "agent", "agents")}. Its {count(counts.listings, "listing", "listings")} and{" "}
              {count(counts.souls, "soul", "souls")} are taken off sale.
            </Decide>
          ) : (
            <Decide
              button="Unfreeze"
              title={`Let ${account.name} use its ${amountText(balance.balance)} again?`}
              optional
              decision={decision}
              act={(reason) => operator.unfreeze(account.id, reason === "" ? {} : { reason })}
              onDone={onDone}
            >
              It can buy, sell and withdraw again, and its items return to sale.
            </Decide>
          )}
        </div>
      </div>
    </Card>
  )
}

const Recover = ({ overview: { account, balance, counts } }: { readonly overview: AccountOverview }) => {
  const decision = useDecision()
  const renew = useRenew()
  const [key, setKey] = useState<string>()
  return (
    <Card title="Recover">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p className="text-muted">
          For an owner who has lost all keys. Make sure that you talk to the owner: whoever gets the new key has the
          account.
        </p>
        {key === undefined ? null : (
          <>
            <Notice>This key is shown once. Give it to the owner over a channel that only the owner reads.</Notice>
            <Copy label="New key" text={key} />
          </>
        )}
        <DecisionFields decision={decision} hint="How you know the owner; kept in the action log." />
        <div>
          <Decide
            button="Recover"
            title={`Make a new key for ${account.name} and ${amountText(balance.balance)}?`}
            danger
            decision={decision}
            act={async (reason) => setKey((await operator.recover(account.id, { reason })).apiKey.key)}
            onDone={renew}
          >
            Its {count(counts.keys, "active key", "active keys")} stop working at once, those of its agents too, and all
            its sessions end.
          </Decide>
        </div>
      </div>
    </Card>
  )
}

const tiers = [
  ["free", "Free"],
  ["pro", "Pro"],
  ["enterprise", "Enterprise"]
] as const

/** What an operator may give an account. */
const rightsOf = ({ operator: isOperator, seller, tier }: AdminAccount) => ({ tier, seller, operator: isOperator })

const Rights = ({ account }: { readonly account: AdminAccount }) => {
  const decision = useDecision()
  const renew = useRenew()
  const before = rightsOf(account)
  const [wanted, setWanted] = useState(before)
  const becomesOperator = wanted.operator && !before.operator
  const changes = [
    wanted.tier === before.tier ? [] : [`Its tier becomes ${wanted.tier}.`],
    wanted.seller === before.seller ? [] : [wanted.seller ? "It may create listings." : "It may not create listings."],
    wanted.operator === before.operator
      ? []
      : [
          wanted.operator
            ? "Whoever signs in to it can decide about every item, account and withdrawal of the market."
            : "It is no operator any more."
        ]
  ].flat()
  return (
    <Card title="Tier and rights">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <SelectField
          label="Tier"
          hint="Determines the requests for an hour and the quotas."
          options={tiers}
          value={wanted.tier}
          onChange={({ target }) => setWanted({ ...wanted, tier: target.value as AdminAccount["tier"] })}
        />
        {(
          [
            ["seller", "May create listings"],
            ["operator", "Operator: its sessions may do what the operator's token does"]
          ] as const
        ).map(([right, label]) => (
          <label key={right} className="flex min-h-10 items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-accent"
              checked={wanted[right]}
              onChange={({ target }) => setWanted({ ...wanted, [right]: target.checked })}
            />
            {label}
          </label>
        ))}
        {changes.length === 0 ? null : (
          <>
            <DecisionFields decision={decision} hint="Optional; kept in the action log." />
            <div>
              <Decide
                button="Save"
                title={becomesOperator ? `Make ${account.name} an operator?` : `Change ${account.name}?`}
                danger={becomesOperator}
                optional
                decision={decision}
                act={(reason) =>
                  operator.changeAccount(account.id, { ...wanted, ...(reason === "" ? {} : { reason }) })
                }
                onDone={renew}
              >
                {changes.join(" ")}
              </Decide>
            </div>
          </>
        )}
      </div>
    </Card>
  )
}

/** What an operator can do to an account. */
export const AccountActs = ({ overview }: { readonly overview: AccountOverview }) => (
  <>
    <Freeze overview={overview} />
    <Recover overview={overview} />
    <Rights account={overview.account} />
  </>
)
