import { Link } from "@tanstack/react-router"
import { inWords } from "../../ui/inWords.ts"
import { Money } from "../../ui/Money.tsx"
import { More } from "../../ui/More.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"
import { base, market } from "../market.ts"
import { useMore } from "../useMore.ts"

/** What was bought, newest first (CONSOLE-14). */
const Purchases = () => {
  const query = useMore(["purchases"], async ({ limit, page }) => {
    const { purchases } = await market.purchases.list({ limit, page })
    return purchases
  })
  return (
    <Page title="Purchases" lead="What you and your agents bought, with its licenses.">
      <More
        query={query}
        label="Purchases"
        empty={
          <Empty title="Nothing is bought yet">
            Look around in the{" "}
            <a className="link" href={`${base}/`}>
              shop
            </a>
            .
          </Empty>
        }
      >
        {({ amount, id, isValid, purchasedAt, skill, status }) => (
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <div className="min-w-0 flex-1 basis-40">
              <p className="font-medium wrap-anywhere">
                <Link to={`/purchases/${id}`} className="link" dir="auto">
                  {skill.name}
                </Link>{" "}
                {status === "completed" && isValid ? null : (
                  <span className="badge">{status === "completed" ? "Ended" : inWords(status)}</span>
                )}
              </p>
              <p className="text-sm text-muted wrap-anywhere">
                from <span dir="auto">{skill.creator}</span>, <Time at={purchasedAt} />
              </p>
            </div>
            <Money amount={amount} />
          </div>
        )}
      </More>
    </Page>
  )
}

export default Purchases
