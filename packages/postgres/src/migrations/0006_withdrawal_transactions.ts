/** One transaction pays one withdrawal: two identical transactions, built by accident, must not be recorded for two withdrawals. */
export const withdrawalTransactions: ReadonlyArray<string> = [
  `CREATE UNIQUE INDEX withdrawals_transaction ON withdrawals (transaction_id) WHERE transaction_id IS NOT NULL`
]
