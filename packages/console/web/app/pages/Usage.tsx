import type { QuotaUse } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery } from "@tanstack/react-query"
import { Facts } from "../../ui/Form.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Card, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { market } from "../market.ts"

const count = (amount: number): string => amount.toLocaleString()
const megabytes = (bytes: number): string =>
  `${(bytes / 1_048_576).toLocaleString(undefined, { maximumFractionDigits: 1 })} MiB`

const quotas = [
  ["agents", "Agents", count],
  ["keys", "API keys", count],
  ["listings", "Listings", count],
  ["souls", "SOULs", count],
  ["webhooks", "Webhooks", count],
  ["releaseBytes", "Stored releases", megabytes]
] as const

const textOf = ({ limit, used }: QuotaUse, format: (amount: number) => string): string =>
  limit === null ? `${format(used)}, no limit` : `${format(used)} of ${format(limit)}`

/** The limits of the account's tier and how much of them is used (CONSOLE-16). */
const Usage = () => {
  const query = useQuery({ queryKey: ["usage"], queryFn: () => market.account.usage() })
  return (
    <Page title="Usage" lead="What the tier of your account allows, and how much of it is used.">
      <Loaded query={query}>
        {({ hourly, quotas: uses, tier }) => (
          <>
            <Card title="Requests in this hour">
              <Facts
                facts={[
                  ["Tier", tier],
                  ["Requests", textOf(hourly, count)],
                  ...(hourly.resetAt === null
                    ? []
                    : [["Counted anew", <Time key="reset" at={hourly.resetAt} exact />] as const])
                ]}
              />
            </Card>
            <Card title="Quotas">
              <Facts facts={quotas.map(([name, label, format]) => [label, textOf(uses[name], format)])} />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Usage
