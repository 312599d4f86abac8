import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { BarList } from "../../ui/charts/BarList.tsx"
import { Chart } from "../../ui/charts/Chart.tsx"
import { counted, money } from "../../ui/charts/units.ts"
import { Loaded } from "../../ui/Loaded.tsx"
import { Page } from "../../ui/Page.tsx"
import { Choices } from "../charts/Choices.tsx"
import type { Period } from "../charts/Periods.tsx"
import { chartDataOf, nameOf, Periods, periods, queryOf } from "../charts/Periods.tsx"
import { market } from "../market.ts"

const usdt = money()
const payments = counted("payment", "payments")

const splits = [
  ["total", "In all"],
  ["agent", "By agent"],
  ["category", "By category"],
  ["seller", "By seller"]
] as const

type Split = (typeof splits)[number][0]

const groups = [
  ["agent", "Agents", "Agent"],
  ["category", "Categories", "Category"],
  ["seller", "Sellers", "Seller"]
] as const

interface Shown {
  readonly period: Period
  readonly now: number
}

const OverTime = ({ now, period }: Shown) => {
  const [by, setBy] = useState<Split>("total")
  const given = { by, ...queryOf(period, now) }
  const query = useQuery({
    queryKey: ["spending", "timeline", given],
    queryFn: () => market.wallet.spendingTimeline(given),
    // Until the new period is loaded, the earlier one stays.
    placeholderData: keepPreviousData
  })
  return (
    <Loaded query={query}>
      {(timeline) => (
        <Chart
          title="Spending over time"
          lead={`USDT each ${timeline.per}, net of refunds. A ${timeline.per} begins at 00:00 UTC.`}
          actions={<Choices label="Split by" choices={splits} chosen={by} onChoose={setBy} />}
          kind="bars"
          unit={usdt}
          data={chartDataOf(timeline)}
          empty={
            <>
              Nothing was spent in this period. Purchases appear here by themselves.{" "}
              <Link to="/agents" className="link">
                Look at your agents
              </Link>
            </>
          }
        />
      )}
    </Loaded>
  )
}

const Group = ({
  by,
  column,
  now,
  period,
  title
}: Shown & {
  readonly by: (typeof groups)[number][0]
  readonly title: string
  readonly column: string
}) => {
  const { from } = queryOf(period, now)
  const query = useQuery({
    queryKey: ["spending", by, from],
    queryFn: () => market.wallet.spending({ by, from, limit: 10 }),
    placeholderData: keepPreviousData
  })
  return (
    <Loaded query={query}>
      {(found) => (
        <BarList
          title={title}
          columns={[column, "Spent"]}
          unit={usdt}
          empty="Nothing was spent in this period."
          bars={found.map((group) => ({
            key: group.key,
            name: nameOf(group),
            value: group.amount,
            note: payments.text(group.count)
          }))}
        />
      )}
    </Loaded>
  )
}

/** What the owner and the agents spent, over time and by agent, category and seller (CONSOLE-37). */
const Spending = () => {
  const [now] = useState(Date.now)
  const [period, setPeriod] = useState<Period>(periods[1])
  return (
    <Page title="Spending" lead="What you and your agents paid: purchases and renewals, net of refunds.">
      <Periods chosen={period} onChoose={setPeriod} />
      <OverTime period={period} now={now} />
      <div className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">
        {groups.map(([by, title, column]) => (
          <Group key={by} by={by} title={title} column={column} period={period} now={now} />
        ))}
      </div>
    </Page>
  )
}

export default Spending
