import { Timestamp } from "../clock/Timestamp.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import { Text } from "../text/Text.ts"

/** Every condition that degrades the service, with the sentence that `/readyz` shows. It is public: no amounts, addresses or names of nodes. */
export const conditionMessages = {
  nodes_disagree: "Nodes of the chain disagree about final blocks or transactions: nothing is credited or paid.",
  quorum_missing: "Too few nodes of the chain vote: nothing is credited or paid.",
  node_stalled: "A node of the chain fails or stands still; the others are used.",
  unknown_transfers: "The hot wallet made transfers that the ledger does not contain: payouts are stopped.",
  payouts_paused: "The operator has paused all payouts.",
  payouts_refused: "The chain or the token refuses payouts.",
  hot_wallet_low: "The hot wallet holds less than its top-up level or than the open withdrawals need.",
  hot_wallet_full: "The hot wallet is above its ceiling.",
  energy_low: "The hot wallet has neither the energy nor the coins for the fee of a payout.",
  signer_unavailable: "The signer of payouts is unavailable: payouts wait.",
  signer_refused: "The signer refuses payouts: the operator must decide on them.",
  screening_unavailable: "Screening is unavailable: deposits are held and withdrawals wait.",
  deposits_held: "Screening holds deposits until the operator decides.",
  blobs_unavailable: "The storage of releases is unavailable: releases are neither uploaded nor installed.",
  signing_keys_differ:
    "A process signs with a key that was replaced: its signatures are refused until every process has the same key.",
  platform_negative: "The platform has paid more for refunds than it has earned.",
  ledger_unbalanced: "The audit of the ledger found differences.",
  partitions_missing:
    "New rows of a large table go to its default partition, because the next partition was not created in time."
} as const

export type ConditionKind = keyof typeof conditionMessages

export const conditionKinds = Object.keys(conditionMessages) as ReadonlyArray<ConditionKind>

/** The maximum number of characters of a detail; what exceeds it is cut off. */
const maxDetail = 1000

/** One period in which a condition held (SYSTEM-9). */
export interface Condition {
  readonly kind: ConditionKind
  /** What was found, for the operator: for example the answer of each node. Never a secret. */
  readonly detail: string | null
  /** When it was first found. */
  readonly since: Timestamp
  /** When it was found to be over; null while it holds. */
  readonly endedAt: Timestamp | null
}

/** A condition as a check found it. */
export interface FoundCondition {
  readonly kind: ConditionKind
  readonly detail: string | null
  readonly at: Timestamp
}

export const boundedDetail = (detail: string | null): string | null =>
  detail === null || Text.codePoints(detail) <= maxDetail ? detail : `${[...detail].slice(0, maxDetail - 1).join("")}…`

/** The event of a change (EVENT-15). No account receives it: the operator reads it. */
export const conditionEvent = ({ detail, endedAt, kind, since }: Condition): MarketEvent => ({
  type: endedAt === null ? "market.degraded" : "market.recovered",
  at: endedAt ?? since,
  subject: kind,
  accounts: [],
  data: { kind, message: conditionMessages[kind], detail, since: Timestamp.toIso(since) }
})
