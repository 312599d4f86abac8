/** One transaction pays one withdrawal: two that were built alike by accident must not stand for each other. */
export const withdrawalTransactions: ReadonlyArray<string> = [
  `CREATE UNIQUE INDEX withdrawals_transaction ON withdrawals (transaction_id) WHERE transaction_id IS NOT NULL`
]
