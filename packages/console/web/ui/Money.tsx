/** An amount with its currency. */
export const Money = ({ amount, currency = "USDT" }: { readonly amount: string; readonly currency?: string }) => (
  <span className="number whitespace-nowrap">
    {amount} {currency}
  </span>
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
    <span className="whitespace-nowrap">
      <Money amount={price} currency={currency} />
      {pricingModel === "subscription" ? " for 30 days" : ""}
    </span>
  )
}
