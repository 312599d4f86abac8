import { Effect } from "effect"
import { Command } from "effect/cli"
import type { Page } from "../terminal/CliContext.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"
import { adminSend } from "./adminSend.ts"

interface Resource {
  readonly limit: number
  readonly used: number
  readonly stakedTrx: string
  readonly delegatedTrx: string
}

interface Cost {
  readonly energy: number
  readonly trx: string
  readonly usdt: string | null
}

interface Energy {
  readonly simulated: boolean
  readonly wallet: string
  readonly trx: string | null
  readonly energy: Resource
  readonly bandwidth: Resource
  readonly payment: { readonly usual: Cost; readonly most: Cost }
  readonly day: Cost & {
    readonly payments: number
    readonly stakeForEnergyTrx: string | null
    readonly stakeForBandwidthTrx: string | null
  }
}

const resourceText = ({ delegatedTrx, limit, stakedTrx, used }: Resource): string =>
  `${used} of ${limit} used, ${stakedTrx} TRX staked, ${delegatedTrx} TRX delegated to it`

const costText = ({ energy, trx, usdt }: Cost): string =>
  `${energy} energy, burns ${trx} TRX${usdt === null ? "" : ` (${usdt} USDT)`}`

const energyText =
  (found: Energy) =>
  (page: Page): string => {
    const { day, payment } = found
    return fields(page, [
      ["chain", found.simulated ? "simulated: these figures are examples" : "TRON"],
      ["hot wallet", found.wallet],
      ["TRX in it", found.trx ?? "not counted"],
      ["energy", resourceText(found.energy)],
      ["bandwidth", resourceText(found.bandwidth)],
      ["a payment now", costText(payment.usual)],
      ["to an address without USDT", costText(payment.most)],
      ["payments of the last 24 hours", day.payments],
      ["a day costs at most", costText(day)],
      ["TRX to stake for its energy", day.stakeForEnergyTrx ?? "not known"],
      ["TRX to stake for its bandwidth", day.stakeForBandwidthTrx ?? "not known"]
    ])
  }

/** The cost of payouts, and the resources of the hot wallet for their fees (TREASURY-6). */
export const energyCommand = Command.make("energy", {}, () =>
  Effect.flatMap(adminSend<Energy>({ method: "GET", path: "/api/v1/admin/treasury/energy" }), (found) =>
    report(found, energyText(found))
  )
).pipe(Command.withDescription("Show the cost of payouts, and the energy and bandwidth of the hot wallet"))
