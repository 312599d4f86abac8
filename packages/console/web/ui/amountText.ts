const amountPattern = /^-?\d+(\.\d+)?$/

/**
 * An amount with its currency: thousands in groups and at least two decimals, more only if the amount has them, for example `1,250.50
 * USDT` (CONSOLE-98). Typed text that is not an amount is left as it is.
 */
export const amountText = (amount: number | string, currency = "USDT"): string => {
  const text = typeof amount === "number" ? amount.toFixed(6) : amount
  if (!amountPattern.test(text)) return `${text} ${currency}`
  const [whole = "", fraction = ""] = text.split(".")
  const decimals = fraction.replace(/0+$/, "").padEnd(2, "0")
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${decimals} ${currency}`
}
