import type { Sale } from "@agent-marketplace/client/wire/Endpoints"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { amountText } from "../../ui/amountText.ts"
import { BarList } from "../../ui/charts/BarList.tsx"
import { Chart } from "../../ui/charts/Chart.tsx"
import { counted, money } from "../../ui/charts/units.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Money } from "../../ui/Money.tsx"
import { Card, Empty, Page } from "../../ui/Page.tsx"
import { Rows } from "../../ui/Rows.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Time } from "../../ui/Time.tsx"
import type { Period } from "../charts/Periods.tsx"
import { chartDataOf, nameOf, Periods, periods, queryOf } from "../charts/Periods.tsx"
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
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] gap-4">
              {totals.map(([label, amount]) => (
                <div key={label} className="card p-5">
                  <dt className="text-sm text-muted">{label}</dt>
                  <dd className="mt-1 text-xl font-semibold">
                    <Money amount={amount} />
                  </dd>
                </div>
              ))}
            </dl>
            {escrow[0] === undefined ? null : (
              <p className="text-sm text-muted">
                Released next: <Money amount={escrow[0].amount} /> on <Time at={escrow[0].releasedAt} />.
              </p>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}

const usdt = money()
const sold = counted("sale", "sales")

/** What was earned over time, and by item (CONSOLE-38). */
const Earnings = () => {
  const [now] = useState(Date.now)
  const [period, setPeriod] = useState<Period>(periods[1])
  const given = { by: "item", ...queryOf(period, now) } as const
  const query = useQuery({
    queryKey: ["sales", "timeline", given],
    queryFn: () => market.sales.timeline(given),
    // Until the new period is loaded, the earlier one stays.
    placeholderData: keepPreviousData
  })
  return (
    <>
      <Periods chosen={period} onChoose={setPeriod} />
      <Loaded query={query}>
        {(timeline) => (
          <>
            <Chart
              title="Earnings over time"
              lead={`USDT each ${timeline.per}, after fees and refunds. A ${timeline.per} begins at 00:00 UTC.`}
              kind="bars"
              unit={usdt}
              data={chartDataOf(timeline)}
              empty="Nothing was earned in this period. Sales appear here by themselves."
            />
            <BarList
              title="Earnings by item"
              columns={["Item", "Earned"]}
              unit={usdt}
              empty="Nothing was sold in this period."
              bars={timeline.series.map((item) => ({
                key: item.key ?? "others",
                name: item.key === null ? "All other items" : nameOf(item),
                value: item.amount,
                note: sold.text(item.count)
              }))}
            />
          </>
        )}
      </Loaded>
    </>
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
      label={`Refund ${amountText(amount, currency)} for ${skill.name}`}
      title={`Refund ${amountText(amount, currency)}?`}
      danger
      act={() => market.purchases.refund(id, reason.trim() === "" ? {} : { reason: reason.trim() })}
      onDone={renew}
    >
      <p className="mb-3">
        The buyer gets {amountText(amount, currency)} back and loses the license of {skill.name}.{" "}
        {amountText(net, currency)} are taken from your earnings. This cannot be undone.
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
    <>
      <div className="min-w-0 flex-1 basis-40">
        <Link to={to} className="link font-medium wrap-anywhere" dir="auto">
          {skill.name}
        </Link>
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
          <Time at={purchasedAt} exact />
          {kind === "renewal" ? <span className="badge">Renewal</span> : null}
          <span className={`badge ${color}`}>{text}</span>
        </p>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-4 max-sm:w-full">
        <p className="sm:text-end">
          <span className="font-semibold">
            <Money amount={net} currency={currency} />
          </span>
          <span className="number block text-sm text-muted">
            {amountText(amount, currency)} less {amountText(fee, currency)} fee
          </span>
        </p>
        {mayRefund ? <Refund sale={sale} /> : null}
      </div>
    </>
  )
}

/** What was sold, what it earned, and refunds (CONSOLE-27). */
const Sales = () => {
  const [now] = useState(Date.now)
  const query = useMore(["sales"], ({ limit, page }) => market.sales.list({ page, limit }))
  return (
    <Page title="Sales" lead="What you sold, and what you get of it. A buyer's name is never shown.">
      <Totals />
      <Earnings />
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
              <Rows
                records={sales}
                label="Sales and renewals"
                between="divide-y divide-line"
                row="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4"
              >
                {(sale) => <Row sale={sale} now={now} />}
              </Rows>
            </Card>
          )
        }
      </Loaded>
      <ShowMore query={query} />
    </Page>
  )
}

export default Sales
