import type { Sale } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { Confirm } from "../../ui/Confirm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Money } from "../../ui/Money.tsx"
import { Card, Empty, Page } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Time } from "../../ui/Time.tsx"
import { market } from "../market.ts"
import { useMore } from "../useMore.ts"

const states = {
  completed: ["Paid", "text-good"],
  pending: ["Waits for the buyer", "text-warn"],
  refunded: ["Refunded", "text-muted"],
  failed: ["Not approved", "text-muted"]
} as const

/** Sellers can refund for 14 days (REFUND-1). In milliseconds. */
const refundable = 14 * 24 * 3600 * 1000

const Totals = () => {
  const query = useQuery({ queryKey: ["wallet", "balance"], queryFn: () => market.wallet.balance() })
  return (
    <Loaded query={query}>
      {({ availableBalance, debt, escrow, totalEarned }) => {
        const held = escrow.reduce((sum, { amount }) => sum + Math.round(amount * 1e6), 0) / 1e6
        const totals = [
          ["Earned in all", totalEarned],
          ["Not released yet", held],
          ["Available", availableBalance],
          ...(debt > 0 ? [["Owed for refunds", debt] as const] : [])
        ] as const
        return (
          <div className="grid gap-3">
            <dl className="grid gap-4 sm:grid-cols-3">
              {totals.map(([label, amount]) => (
                <div key={label} className="card p-5">
                  <dt className="text-sm text-muted">{label}</dt>
                  <dd className="mt-1 text-xl font-semibold">
                    <Money amount={String(amount)} />
                  </dd>
                </div>
              ))}
            </dl>
            {escrow[0] === undefined ? null : (
              <p className="text-sm text-muted">
                Released next: <Money amount={String(escrow[0].amount)} /> on <Time at={escrow[0].releasedAt} />.
              </p>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}

const Refund = ({ sale }: { readonly sale: Sale }) => {
  const client = useQueryClient()
  const [reason, setReason] = useState("")
  const { amount, currency, id, net, skill } = sale
  const renew = () => {
    void client.invalidateQueries({ queryKey: ["sales"] })
    void client.invalidateQueries({ queryKey: ["wallet"] })
  }
  return (
    <Confirm
      button="Refund"
      label={`Refund ${amount} ${currency} for ${skill.name}`}
      title={`Refund ${amount} ${currency}?`}
      danger
      act={() => market.purchases.refund(id, reason.trim() === "" ? {} : { reason: reason.trim() })}
      onDone={renew}
    >
      <p className="mb-3">
        The buyer gets {amount} {currency} back and loses the license of {skill.name}. {net} {currency} are taken from
        your earnings. This cannot be undone.
      </p>
      <TextField
        label="Reason (optional, sent to the buyer)"
        rows={2}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Confirm>
  )
}

const Row = ({ now, sale }: { readonly sale: Sale; readonly now: number }) => {
  const { amount, currency, fee, kind, net, purchasedAt, skill, status } = sale
  const [text, color] = states[status]
  const mayRefund = status === "completed" && amount > 0 && now - Date.parse(purchasedAt) < refundable
  const to = skill.id.startsWith("soul_") ? `/souls/${skill.slug}` : `/items/${skill.id}`
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
      <div className="min-w-0">
        <Link to={to} className="link font-medium wrap-anywhere" dir="auto">
          {skill.name}
        </Link>
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
          <Time at={purchasedAt} exact />
          {kind === "renewal" ? <span className="badge">Renewal</span> : null}
          <span className={`badge ${color}`}>{text}</span>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-4">
        <p className="text-end">
          <span className="font-semibold">
            <Money amount={String(net)} currency={currency} />
          </span>
          <span className="number block text-sm text-muted">
            {amount} {currency} less {fee} {currency} fee
          </span>
        </p>
        {mayRefund ? <Refund sale={sale} /> : null}
      </div>
    </li>
  )
}

/** What was sold, what it earned, and refunds (CONSOLE-27). */
const Sales = () => {
  const [now] = useState(Date.now)
  const query = useMore(["sales"], ({ limit, page }) => market.sales.list({ page, limit }))
  return (
    <Page title="Sales" lead="What you sold, and what you get of it. A buyer's name is never shown.">
      <Totals />
      <Loaded query={query}>
        {(sales) =>
          sales.length === 0 ? (
            <Empty title="Nothing is sold yet">
              Sales appear here by themselves.{" "}
              <Link to="/items" className="link">
                Look at your items
              </Link>
            </Empty>
          ) : (
            <Card title="Sales and renewals">
              <ul className="divide-y divide-line">
                {sales.map((sale) => (
                  <Row key={sale.id} sale={sale} now={now} />
                ))}
              </ul>
            </Card>
          )
        }
      </Loaded>
      <ShowMore query={query} />
    </Page>
  )
}

export default Sales
