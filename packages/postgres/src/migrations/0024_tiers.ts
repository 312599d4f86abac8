/** An index for counting the payouts of a day. The wallet that a sweep pays is in `sweeps.destination`. */
export const tiers: ReadonlyArray<string> = [
  `CREATE INDEX withdrawals_completed ON withdrawals (completed_at) WHERE completed_at IS NOT NULL`
]
