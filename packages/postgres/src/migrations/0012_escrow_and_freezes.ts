/** Frozen accounts and agents, proceeds in escrow, debts, and what buyer and seller agreed to. */
export const escrowAndFreezes: ReadonlyArray<string> = [
  `ALTER TABLE accounts ADD COLUMN frozen_at timestamptz, ADD COLUMN frozen_reason text`,
  `ALTER TABLE agents ADD COLUMN frozen_at timestamptz, ADD COLUMN frozen_reason text`,
  // Few are frozen: whoever buys or sells is looked up in an index that is nearly empty.
  `CREATE INDEX accounts_frozen ON accounts (id) WHERE frozen_at IS NOT NULL`,
  `CREATE INDEX agents_frozen ON agents (id) WHERE frozen_at IS NOT NULL`
]
