/** Renames tables and columns to the names that the code uses: entitlements, and results stored for Idempotency-Keys. */
export const standardNames: ReadonlyArray<string> = [
  `ALTER TABLE holdings RENAME TO entitlements`,
  `ALTER INDEX holdings_pkey RENAME TO entitlements_pkey`,
  `ALTER TABLE answers RENAME TO idempotent_results`,
  `ALTER TABLE idempotent_results RENAME COLUMN answer TO result`,
  `ALTER INDEX answers_pkey RENAME TO idempotent_results_pkey`,
  `ALTER INDEX answers_time RENAME TO idempotent_results_time`
]
