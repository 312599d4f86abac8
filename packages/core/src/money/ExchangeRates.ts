import { Context, Layer } from "effect"
import { halfEven, Usdt } from "./Usdt.ts"

/** The allowed currencies of a price (MONEY-9). */
export const currencies = ["USD", "USDC", "USDT"] as const

export type Currency = (typeof currencies)[number]

/** The value of one USD and of one USDC in USDT; both are above zero. */
export interface FixedRates {
  readonly USD: Usdt
  readonly USDC: Usdt
}

/** One USDT. */
const unit = 1_000_000n

/** 1 USD = 1 USDC = 1 USDT. */
export const equalRates: FixedRates = { USD: Usdt.of(unit), USDC: Usdt.of(unit) }

/** Converts prices to USDT; replaceable. By default one dollar is one USDC is one USDT (MONEY-7). */
export class ExchangeRates extends Context.Service<
  ExchangeRates,
  {
    /** Pure and total: converts a price in 10⁻⁶ of `currency` to 10⁻⁶ USDT. A price above zero stays above zero. */
    readonly toUsdt: (price: Usdt, currency: Currency) => Usdt
  }
>()("@agent-marketplace/core/money/ExchangeRates") {
  /** Fixed rates for the lifetime of the process. Results are rounded half to even at 6 decimals. */
  static readonly fixed = (rates: FixedRates) =>
    Layer.succeed(ExchangeRates, {
      toUsdt: (price, currency) => {
        if (currency === "USDT" || price === 0n) return price
        const value = halfEven(price * rates[currency], unit)
        return Usdt.of(value === 0n ? 1n : value)
      }
    })

  static readonly layer = ExchangeRates.fixed(equalRates)
}
