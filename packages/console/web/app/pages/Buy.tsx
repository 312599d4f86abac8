import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import type { BuyResult, SkillDetail } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { amountText } from "../../ui/amountText.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Copy } from "../../ui/Copy.tsx"
import { Facts } from "../../ui/Form.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Money, Price } from "../../ui/Money.tsx"
import { Alert, Card, Notice, Page } from "../../ui/Page.tsx"
import { TrustBadge } from "../../ui/Trust.tsx"
import { base, market } from "../market.ts"
import { useRenew } from "../useAct.ts"
import { BudgetLeft } from "./agents/BudgetLeft.tsx"
import { Install } from "./purchases/Install.tsx"

const Bought = ({ item, result }: { readonly item: SkillDetail; readonly result: BuyResult }) => {
  if (result.licenseKey === null)
    return (
      <Card title="It waits for approval">
        <p>
          The price is above your limit, so the amount is held and nothing is paid yet. Decide in the{" "}
          <Link to="/" className="link">
            inbox
          </Link>
          .
        </p>
      </Card>
    )
  return (
    <Card title="It is yours">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Notice>The license is valid. You find it again under Purchases.</Notice>
        <Copy label="license key" text={result.licenseKey} />
        <Install slug={item.slug} />
      </div>
    </Card>
  )
}

const Offer = ({ item }: { readonly item: SkillDetail }) => {
  const [result, setResult] = useState<BuyResult>()
  // One key for this page: a repeated press buys once.
  const [idempotencyKey] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join("-"))
  const renew = useRenew()
  const balance = useQuery({ queryKey: ["wallet", "balance"], queryFn: () => market.wallet.balance() })
  const budget = useQuery({ queryKey: ["budget", null], queryFn: () => market.wallet.budget() })
  const { creator, currency, id, price, pricingModel, shortDesc, slug, title, trust } = item
  // Never more is paid than the question names. If the price has changed, the market refuses and reports the new one in USDT.
  const [most, setMost] = useState(Number(price))
  const [hasChanged, setHasChanged] = useState(false)
  const isFree = most === 0
  const amount = `${amountText(most)}${pricingModel === "subscription" ? " every 30 days" : ""}`
  const buy = async () => {
    try {
      setResult(await market.skills.buy({ skillId: id, maxPrice: most, pricingModel }, { idempotencyKey }))
    } catch (error) {
      const now =
        error instanceof MarketplaceError && error.code === "PRICE_CHANGED" ? error.details["price"] : undefined
      const changed = Number.parseFloat(String(now))
      if (!(changed >= 0)) throw error
      // The question is closed, so that a second press cannot accept an amount that was not read.
      setMost(changed)
      setHasChanged(true)
    }
  }
  if (result !== undefined)
    return (
      <Page title={title}>
        <Bought item={item} result={result} />
      </Page>
    )
  return (
    <Page title={isFree ? "Get it" : "Buy"}>
      <Card>
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0 flex-1 basis-40">
            <h2 className="wrap-anywhere" dir="auto">
              <a className="link" href={`${base}/items/${slug}`}>
                {title}
              </a>
            </h2>
            <p className="text-sm text-muted wrap-anywhere">
              by <span dir="auto">{creator.name}</span>
            </p>
          </div>
          <p className="text-lg font-semibold">
            <Price price={price} currency={currency} pricingModel={pricingModel} />
          </p>
        </div>
        <p className="my-3 wrap-anywhere" dir="auto">
          {shortDesc}
        </p>
        <TrustBadge level={trust} />
      </Card>
      <Card title="What you can spend">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <Loaded query={balance}>
            {({ availableBalance }) => (
              <Facts facts={[["Balance", <Money key="balance" amount={availableBalance} />]]} />
            )}
          </Loaded>
          <Loaded query={budget}>{(left) => <BudgetLeft budget={left} />}</Loaded>
          <p className="text-sm text-muted">
            Too little?{" "}
            <Link to="/wallet" className="link">
              Deposit USDT
            </Link>{" "}
            first.
          </p>
        </div>
      </Card>
      {hasChanged ? <Alert>The price is now {amount}. Nothing was bought.</Alert> : null}
      <div>
        <Confirm
          button={isFree ? "Get it" : "Buy"}
          label={`${isFree ? "Get" : "Buy"} ${title}`}
          title={isFree ? `Get ${title} for free?` : `Pay ${amount}?`}
          act={buy}
          onDone={() => void renew("wallet", "purchases", "subscriptions", "approvals", "budget", "spending")}
        >
          {isFree
            ? `You get a license of ${title}.`
            : `You get a license of ${title} for at most ${amount}. A higher price is refused.`}
        </Confirm>
      </div>
    </Page>
  )
}

/** Where the shop's Buy button leads: the item, its price, the budget, and one question (CONSOLE-15). */
const Buy = () => {
  const { id = "" } = useParams({ strict: false }) as { readonly id?: string }
  const query = useQuery({ queryKey: ["item", id], queryFn: () => market.skills.get(id) })
  return (
    <Loaded query={query} title="Buy">
      {(item) => <Offer key={item.id} item={item} />}
    </Loaded>
  )
}

export default Buy
