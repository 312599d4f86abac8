import { amountText } from "./amountText.ts"

/** An amount with its currency. */
export const Money = ({ amount, currency }: { readonly amount: number | string; readonly currency?: string }) => (
  <span className="number whitespace-nowrap">{amountText(amount, currency)}</span>
)

/** The price of an item. */
export const Price = ({
  currency,
  price,
  pricingModel
}: {
  readonly price: string
  readonly currency: string
  readonly pricingModel: string
}) => {
  if (Number(price) === 0) return <span>Free</span>
  return (
    <span>
      <Money amount={price} currency={currency} />
      {pricingModel === "subscription" ? " for 30 days" : ""}
    </span>
  )
}
