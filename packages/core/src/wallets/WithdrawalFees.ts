import { Effect, Redacted, Result } from "effect"
import { Mac } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { ChainUnavailable } from "../chain/Chain.ts"
import { Chain } from "../chain/Chain.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AccountId, WithdrawalId } from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"

/** How long a quote guarantees its fee (WITHDRAWAL-12). */
export const quoteLifetime = 15 * Time.minute

/** Automatic fees are whole cents. */
const cent = 10_000n

/** The margin for prices that rise between a request and its payment: one fifth. */
const withMargin = (cost: bigint): bigint => (cost * 6n + 4n) / 5n

/** The fee that covers a cost in 10⁻⁶ coins at a rate in 10⁻⁶ USDT for a coin: with the margin, rounded up to cents. */
export const automaticFee = (coin: bigint, rate: Usdt): Usdt => {
  const cost = (coin * rate + 999_999n) / 1_000_000n
  return Usdt.of(((withMargin(cost) + cent - 1n) / cent) * cent)
}

/** The payout that a fee is quoted for. */
export interface QuotedPayout {
  readonly accountId: AccountId
  readonly amount: Usdt
  readonly destinationAddress: string
}

/** The terms of a quote. The withdrawal that uses it gets this id, so that it can be used only once. */
export interface QuoteTerms {
  readonly withdrawalId: WithdrawalId
  readonly fee: Usdt
  readonly expiresAt: Timestamp
}

export interface WithdrawalFees {
  /** The current fee. A fixed fee needs no request to the chain. */
  readonly current: (payout: QuotedPayout) => Effect.Effect<Usdt, ChainUnavailable>
  readonly estimate: (
    payout: QuotedPayout
  ) => Effect.Effect<{ readonly fee: Usdt; readonly activatesAddress: boolean }, ChainUnavailable>
  /** The id of a quote: its terms, and a signature over the terms and the payout. */
  readonly sign: (payout: QuotedPayout, terms: QuoteTerms) => Effect.Effect<string>
  /** The terms of a quote for exactly this payout; undefined for any other text. */
  readonly read: (payout: QuotedPayout, quote: string) => Effect.Effect<QuoteTerms | undefined>
}

const form = /^quo_([0-9a-z]{25})_([0-9]{1,16})_([0-9]{1,15})_([0-9a-f]{64})$/

const prefix = "wdr_"

/** The fees of withdrawals, and signed quotes, which are not stored. */
export const withdrawalFees: Effect.Effect<WithdrawalFees, never, Chain | Mac.Mac | MarketConfig> = Effect.gen(
  function* () {
    const chain = yield* Chain
    const mac = yield* Mac.Mac
    const { coinRate, secret, withdrawalFee } = yield* MarketConfig
    const encoder = new TextEncoder()
    const key = yield* Effect.orDie(Mac.key(Mac.hmacSha256, encoder.encode(Redacted.value(secret))))

    const feeOf = (coin: bigint): Effect.Effect<Usdt> => {
      if (withdrawalFee !== "auto") return Effect.succeed(withdrawalFee)
      if (coinRate === null) return Effect.die(new Error("an automatic fee needs the rate of the chain's coin"))
      return Effect.succeed(automaticFee(coin, coinRate))
    }

    const estimate = ({ amount, destinationAddress: to }: QuotedPayout) =>
      Effect.flatMap(chain.payoutCost({ to, amount }), ({ activatesAddress, coin }) =>
        Effect.map(feeOf(coin), (fee) => ({ fee, activatesAddress }))
      )

    const signed = (
      { accountId, amount, destinationAddress }: QuotedPayout,
      { expiresAt, fee, withdrawalId }: QuoteTerms
    ): Uint8Array => {
      const parts = [accountId, amount, destinationAddress, withdrawalId, fee, expiresAt].map(String)
      return encoder.encode(JSON.stringify(["withdrawal-quote", ...parts]))
    }

    return {
      estimate,
      current: (payout) =>
        withdrawalFee === "auto" ? Effect.map(estimate(payout), ({ fee }) => fee) : Effect.succeed(withdrawalFee),
      sign: Effect.fnUntraced(function* (payout, terms) {
        const tag = Hex.encode(yield* Effect.orDie(mac.sign(key, signed(payout, terms))))
        return `quo_${terms.withdrawalId.slice(prefix.length)}_${terms.fee}_${terms.expiresAt}_${tag}`
      }),
      read: Effect.fnUntraced(function* (payout, quote) {
        const [, id, fee, expiresAt, hex] = form.exec(quote) ?? []
        if (id === undefined || fee === undefined || hex === undefined) return undefined
        const terms: QuoteTerms = {
          withdrawalId: `${prefix}${id}` as WithdrawalId,
          fee: Usdt.of(BigInt(fee)),
          expiresAt: Number(expiresAt)
        }
        const tag = Result.getOrElse(Hex.decode(hex), () => new Uint8Array())
        return (yield* Effect.orDie(mac.verify(key, tag, signed(payout, terms)))) ? terms : undefined
      })
    }
  }
)
