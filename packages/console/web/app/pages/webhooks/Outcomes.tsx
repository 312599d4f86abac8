import type { DeliveryTimeline } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery } from "@tanstack/react-query"
import { Chart } from "../../../ui/charts/Chart.tsx"
import type { ChartData } from "../../../ui/charts/ChartData.ts"
import { counted } from "../../../ui/charts/units.ts"
import { Loaded } from "../../../ui/Loaded.tsx"
import { market } from "../../market.ts"

const looks = {
  delivered: { label: "Delivered", tone: "good" },
  pending: { label: "Waiting", tone: "warn" },
  failed: { label: "Failed", tone: "bad" }
} as const

const dataOf = ({ periods, series }: DeliveryTimeline): ChartData => ({
  per: "day",
  times: periods.map((day) => Date.parse(day)),
  series: series.map(({ counts, status }) => ({ id: status, ...looks[status], values: counts }))
})

const deliveries = counted("delivery", "deliveries")

/** In milliseconds: an attempt causes no event of the account, so the counts are read again. */
const renewAfter = 15_000

/** The deliveries of the last 30 days by outcome: of one endpoint, or of all (CONSOLE-97). */
export const Outcomes = ({ id }: { readonly id?: string }) => {
  const query = useQuery({
    queryKey: ["deliveries", "timeline", id ?? ""],
    queryFn: () => market.webhooks.timeline(id === undefined ? {} : { webhookId: id }),
    refetchInterval: renewAfter
  })
  return (
    <Loaded query={query}>
      {(timeline) => (
        <Chart
          title="Deliveries by outcome"
          lead={`Deliveries${id === undefined ? " to all endpoints" : ""} each day, by what has become of them until now. A day begins at 00:00 UTC.`}
          kind="bars"
          unit={deliveries}
          data={dataOf(timeline)}
          empty="No event of the last 30 days was sent. Deliveries appear here by themselves; a test event makes the first one."
        />
      )}
    </Loaded>
  )
}
