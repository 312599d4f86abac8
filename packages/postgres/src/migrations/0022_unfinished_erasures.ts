/** Erased accounts whose name is still in records that settlements also write. Readers replace it until these are rewritten. */
export const unfinishedErasures: ReadonlyArray<string> = [
  `CREATE TABLE unfinished_erasures (account_id text PRIMARY KEY)`,
  `CREATE INDEX approvals_purchase ON approvals (purchase_id)`
]
