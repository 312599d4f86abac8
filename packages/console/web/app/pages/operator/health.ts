import { base } from "../../market.ts"
import type { Measurement } from "../../metrics/measurement.ts"
import { measurementOf } from "../../metrics/measurement.ts"
import { samplesOf } from "../../metrics/prometheus.ts"

/** What `/readyz` answers (SYSTEM-2). */
interface Readiness {
  readonly status: "ready" | "degraded" | "unavailable"
  readonly warnings?: ReadonlyArray<string>
}

/** `/readyz` answers 503 with the same shape, so the status code is not looked at. */
export const readReadiness = async (): Promise<Readiness> =>
  (await fetch(`${base}/readyz`)).json() as Promise<Readiness>

/** The oldest waiting record of each background job, in seconds, by its metric. */
export const jobs = {
  webhook_queue_oldest_seconds: "Webhook deliveries",
  withdrawals_oldest_seconds: "Withdrawals to pay",
  review_oldest_seconds: "Reviews",
  reports_oldest_seconds: "Reports",
  appeals_oldest_seconds: "Appeals"
} as const

const keptMeasurements = 120

/** The earlier measurements followed by a new one of `/metrics` (SYSTEM-4); null if they need a token of their own. */
export const measure = async (earlier: ReadonlyArray<Measurement>): Promise<ReadonlyArray<Measurement> | null> => {
  const response = await fetch(`${base}/metrics`)
  if (!response.ok) return null
  const measurement = measurementOf(Date.now(), samplesOf(await response.text()))
  return [...earlier, measurement].slice(-keptMeasurements)
}

/** The warnings of `/readyz` in words. */
export const warnings: Readonly<Record<string, string>> = {
  chain_unreachable: "The chain does not answer, or no block becomes final.",
  deposits_behind: "More than 100 final blocks are not scanned for deposits.",
  withdrawals_stuck: "A withdrawal has been open for half an hour.",
  hot_wallet_low: "The hot wallet holds less than the open withdrawals need.",
  hot_wallet_fees_low: "The hot wallet cannot pay the chain's fees of the next withdrawals.",
  withdrawal_fee_low: "The fee of a withdrawal is below what the network may take.",
  payouts_paused: "All payouts are stopped.",
  debts_open: "A seller owes the platform for a refund; the audit names each.",
  platform_negative: "The platform has paid more for refunds than it has earned.",
  review_overdue: "A listing or release has waited for a review for more than a day.",
  reports_overdue: "A report has waited for more than a day.",
  appeals_overdue: "An appeal has waited for more than a day."
}
