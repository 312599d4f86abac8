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

/** The value of one unit of the currency in 10⁻⁶ USDT. */
export const rateOf = (rates: FixedRates, currency: Currency): bigint => (currency === "USDT" ? unit : rates[currency])

/** Whether one unit of every currency has the same value. */
export const areEqual = ({ USD, USDC }: FixedRates): boolean => USD === unit && USDC === unit

/**
 * Converts a price in 10⁻⁶ of `currency` to 10⁻⁶ USDT, rounded half to even. A price above zero stays above zero, and a higher price
 * never has a lower value.
 */
export const valueOf = (rates: FixedRates, price: Usdt, currency: Currency): Usdt => {
  if (currency === "USDT" || price === 0n) return price
  const value = halfEven(price * rates[currency], unit)
  return Usdt.of(value === 0n ? 1n : value)
}

/** Converts prices to USDT; replaceable. By default one dollar is one USDC is one USDT (MONEY-7). */
export class ExchangeRates extends Context.Service<
  ExchangeRates,
  {
    /** The present rates. Lists filter and sort prices by them (MONEY-8). */
    readonly current: () => FixedRates
    /** {@link valueOf} with the present rates. */
    readonly toUsdt: (price: Usdt, currency: Currency) => Usdt
  }
>()("@agent-marketplace/core/money/ExchangeRates") {
  /** Rates that may change; `current` must be total and quick. */
  static readonly changing = (current: () => FixedRates) =>
    Layer.succeed(ExchangeRates, {
      current,
      toUsdt: (price, currency) => valueOf(current(), price, currency)
    })

  /** Fixed rates for the lifetime of the process. */
  static readonly fixed = (rates: FixedRates) => ExchangeRates.changing(() => rates)

  static readonly layer = ExchangeRates.fixed(equalRates)
}
