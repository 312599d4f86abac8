import type { PayoutNeeds, WalletResource } from "@agent-marketplace/core/chain/WalletResources"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { EnergyReport } from "@agent-marketplace/core/wallets/EnergyReport"
import { worthOf } from "@agent-marketplace/core/wallets/payoutCosts"
import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const resource = (name: string, limit: number) =>
  field(
    Schema.Struct({
      limit: ResponseField.count("The units that the wallet has for 24 hours.", limit),
      used: ResponseField.count("The used units. They become available again within 24 hours.", 0),
      available: ResponseField.count("The remaining units.", limit),
      stakedTrx: ResponseField.money("The TRX that the wallet has staked for it.", "0.00"),
      delegatedTrx: ResponseField.money("The TRX that others have staked and delegated to the wallet.", "15000.00")
    }),
    `The wallet's ${name}.`,
    { limit, used: 0, available: limit, stakedTrx: "0.00", delegatedTrx: "15000.00" }
  )

const example = { energy: 64_285, bandwidth: 400, trx: "6.8285", usdt: "2.04855" }

const payment = (description: string) =>
  field(
    Schema.Struct({
      energy: ResponseField.count("The energy that it takes.", example.energy),
      bandwidth: ResponseField.count("The bandwidth that it takes.", example.bandwidth),
      trx: ResponseField.money("The TRX that it burns now, beyond what resources pay.", example.trx),
      usdt: ResponseField.moneyOrNull("The same in USDT; null without TRX_USDT_RATE.", example.usdt)
    }),
    description,
    example
  )

export const TreasuryEnergy = Schema.Struct({
  simulated: ResponseField.flag("Whether the chain is simulated. The figures are then examples.", false),
  wallet: ResponseField.text("The hot wallet.", "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"),
  trx: ResponseField.moneyOrNull("The TRX that it can burn; null if the chain does not count them.", "120.00"),
  energy: resource("energy", 135_000),
  bandwidth: resource("bandwidth, with what is free each day", 600),
  payment: field(
    Schema.Struct({
      usual: payment("A payment to an address that holds USDT."),
      most: payment("A payment to an address that holds none.")
    }),
    "The present cost of one payment.",
    { usual: example, most: example }
  ),
  day: field(
    Schema.Struct({
      payments: ResponseField.count("The payments of the last 24 hours.", 40),
      energy: ResponseField.count("The energy that they take at most.", 5_400_000),
      bandwidth: ResponseField.count("The bandwidth that they take.", 16_000),
      trx: ResponseField.money("The TRX that a day with as many payments burns at most.", "542.00"),
      usdt: ResponseField.moneyOrNull("The same in USDT; null without TRX_USDT_RATE.", "162.60"),
      stakeForEnergyTrx: ResponseField.moneyOrNull(
        "The TRX to stake in addition so that no energy is burnt; null if the chain reports no rate.",
        "554921.00"
      ),
      stakeForBandwidthTrx: ResponseField.moneyOrNull("The same for bandwidth.", "24350.00")
    }),
    "The cost of a day at the present prices and resources.",
    {
      payments: 40,
      energy: 5_400_000,
      bandwidth: 16_000,
      trx: "542.00",
      usdt: "162.60",
      stakeForEnergyTrx: "554921.00",
      stakeForBandwidthTrx: "24350.00"
    }
  )
}).annotate({
  identifier: "TreasuryEnergy",
  description: "The cost of payouts, and the resources of the hot wallet for their fees."
})

const toResource = ({ delegated, limit, staked, used }: WalletResource) => ({
  limit,
  used,
  available: Math.max(0, limit - used),
  stakedTrx: Usdt.format(staked),
  delegatedTrx: Usdt.format(delegated)
})

/** Both TRX and USDT have six decimals. */
const trxOrNull = (coins: bigint | null): string | null => (coins === null ? null : Usdt.format(coins))

export const toEnergy = ({ day, most, rate, resources, usual, wallet }: EnergyReport): typeof TreasuryEnergy.Type => {
  const usdt = (coins: bigint) => (rate === null ? null : Usdt.format(worthOf(coins, rate)))
  const toPayment = ({ bandwidth, energy }: PayoutNeeds, burnt: bigint) => ({
    energy,
    bandwidth,
    trx: Usdt.format(burnt),
    usdt: usdt(burnt)
  })
  return {
    simulated: resources.simulated,
    wallet,
    trx: trxOrNull(resources.coins),
    energy: toResource(resources.energy),
    bandwidth: toResource(resources.bandwidth),
    payment: { usual: toPayment(resources.usual, usual), most: toPayment(resources.most, most) },
    day: {
      payments: day.payouts,
      energy: day.energy,
      bandwidth: day.bandwidth,
      trx: Usdt.format(day.burnt),
      usdt: usdt(day.burnt),
      stakeForEnergyTrx: trxOrNull(day.stakeForEnergy),
      stakeForBandwidthTrx: trxOrNull(day.stakeForBandwidth)
    }
  }
}
