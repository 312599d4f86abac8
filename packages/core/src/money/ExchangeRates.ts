import { Context, Layer } from "effect"
import type { Usdt } from "./Usdt.ts"

/** The currencies a price may be named in (MONEY-9). */
export const currencies = ["USD", "USDC", "USDT"] as const

export type Currency = (typeof currencies)[number]

/** The one place where a price becomes USDT. By default one dollar is one USDC is one USDT (MONEY-7). */
export class ExchangeRates extends Context.Service<
  ExchangeRates,
  {
    /** Pure and total: a price in 10⁻⁶ of `currency` as 10⁻⁶ USDT. */
    readonly toUsdt: (price: Usdt, currency: Currency) => Usdt
  }
>()("@agent-marketplace/core/money/ExchangeRates") {
  static readonly layer = Layer.succeed(ExchangeRates, { toUsdt: (price) => price })
}
